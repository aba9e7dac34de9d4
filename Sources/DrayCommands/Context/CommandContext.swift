// The configuration that a command runs with.

internal import ArgumentParser
internal import DrayKit

/// The configuration of a command line.
struct CommandContext: Sendable {
  /// The rules for hosts.
  var hosts = HostRules()
  /// The rules for new jobs.
  var jobRules = JobRules()
  /// The names of options that were typed or set in the environment. They take precedence over the rules for hosts, and
  /// over what a job has that is asked for again.
  var given: Set<String> {
    get { known ?? findGiven() }
    set { known = newValue }
  }
  private var known: Set<String>?
  /// Finds ``given`` where nothing else needs the definitions of options: reading them takes time, and few commands ask.
  var findGiven: @Sendable () -> Set<String> = { [] }
  /// The names of options that only the configuration file sets.
  var configured: Set<String> = []
  /// The options that every command has.
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

  /// The context of the running command.
  @TaskLocal static var current = CommandContext()
}
