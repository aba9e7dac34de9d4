// What a command runs under: the configuration that was found for it.

internal import ArgumentParser
internal import DrayKit

/// The configuration of a command line.
struct CommandContext: Sendable {
  /// What holds for hosts.
  var hosts = HostRules()
  /// The names of options that were typed or set in the environment: they go before what holds for a host.
  var given: Set<String> = []
  /// The names of options that the file sets, and nothing else.
  var configured: Set<String> = []
  /// The options that every command has.
  var globals = GlobalOptions()

  /// Reads another command line under the same configuration; `nil` where that was not read.
  var reads: (@Sendable ([String]) throws -> any ParsableCommand)?

  /// That of the command that runs.
  @TaskLocal static var current = CommandContext()
}
