// The configuration with which a command runs.

internal import ArgumentParser
internal import DrayKit

struct CommandContext: Sendable {
  var hosts = HostRules()
  var jobRules = JobRules()
  /// The names of the options that were typed or set in the environment. Their values take precedence over the rules
  /// for hosts, and over the settings that a job already has if it is added again.
  var given: Set<String> {
    get { known ?? findGiven() }
    set { known = newValue }
  }
  private var known: Set<String>?
  /// Finds the value of ``given``. It is called only when needed, because reading the definitions of options takes time
  /// and few commands need them.
  var findGiven: @Sendable () -> Set<String> = { [] }
  /// The names of the options that only the configuration file sets.
  var configured: Set<String> = []
  var globals = GlobalOptions()
  /// The job store that `--store`, `DRAY_STORE` or the configuration names; `nil` means the store in the state
  /// directory.
  var store: StoreAddress?
  /// The sources whose names can be used in place of URLs.
  var sources = NamedSources()
  /// The rule for the directories of jobs, which matters if other machines use the same store.
  var reach = TargetReach()

  /// Parses another command line with the same configuration; `nil` if the configuration was not read.
  var reads: (@Sendable ([String]) throws -> any ParsableCommand)?

  /// The command `dray`, which contains all other commands.
  var root: any ParsableCommand.Type = NoCommand.self

  private struct NoCommand: ParsableCommand {}

  init(globals: GlobalOptions = GlobalOptions()) { self.globals = globals }

  @TaskLocal static var current = CommandContext()
}
