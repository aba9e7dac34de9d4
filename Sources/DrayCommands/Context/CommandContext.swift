// The configuration that a command runs with.

internal import ArgumentParser
internal import DrayKit

struct CommandContext: Sendable {
  var hosts = HostRules()
  var jobRules = JobRules()
  /// The names of options that were typed or set in the environment. They take precedence over the rules for hosts, and
  /// over the settings of a job that is added again.
  var given: Set<String> {
    get { known ?? findGiven() }
    set { known = newValue }
  }
  private var known: Set<String>?
  /// Finds ``given`` when first needed, because reading the definitions of options takes time and few commands need
  /// them.
  var findGiven: @Sendable () -> Set<String> = { [] }
  /// The names of options that only the configuration file sets.
  var configured: Set<String> = []
  var globals = GlobalOptions()
  /// The job store of `--store`, `DRAY_STORE` or the configuration; `nil` for the one of the state directory.
  var store: StoreAddress?
  /// The rule for the directories of jobs, if other machines use the store.
  var reach = TargetReach()

  /// Parses another command line with the same configuration; `nil` if the configuration was not read.
  var reads: (@Sendable ([String]) throws -> any ParsableCommand)?

  /// The command `dray`, which has all others.
  var root: any ParsableCommand.Type = NoCommand.self

  private struct NoCommand: ParsableCommand {}

  init(globals: GlobalOptions = GlobalOptions()) { self.globals = globals }

  @TaskLocal static var current = CommandContext()
}
