// The protocol of all commands.

internal import ArgumentParser
internal import DrayKit

/// A command: ArgumentParser parses it, and ``execute()`` runs it.
protocol DrayCommand: ParsableCommand, Sendable {
  /// Runs the command. Results go to ``ResultOutput/standard``.
  /// - Returns: The exit status.
  /// - Throws: ``DrayCore/Failure``.
  func execute() async throws -> ExitStatus
  /// Checks options that the configuration may have set, beyond what parsing checks. Changes nothing and asks no
  /// questions.
  /// - Throws: Kind `usage`, naming the option.
  func checkSettings(_ surroundings: Surroundings) throws
}

extension DrayCommand {
  func checkSettings(_ surroundings: Surroundings) throws {}
}
