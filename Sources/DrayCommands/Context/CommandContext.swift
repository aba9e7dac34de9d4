// The configuration that a command runs with.

internal import ArgumentParser
internal import DrayKit

/// The configuration of a command line.
struct CommandContext: Sendable {
  /// The rules for hosts.
  var hosts = HostRules()
  /// The rules for new jobs.
  var jobRules = JobRules()
  /// The names of options that were typed or set in the environment. They take precedence over the rules for hosts.
  var given: Set<String> = []
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

  /// The context of the running command.
  @TaskLocal static var current = CommandContext()
}
