// The protocol that all commands conform to.

internal import ArgumentParser
internal import DrayKit

/// A command: ArgumentParser parses it, and ``execute()`` runs it.
protocol DrayCommand: ParsableCommand, Sendable {
  /// Runs the command. Its results go to ``ResultOutput/standard``.
  /// - Returns: The exit status.
  /// - Throws: ``DrayCore/Failure``.
  func execute() async throws -> ExitStatus
  /// Checks the options that the configuration may have set, as far as parsing does not check them. This method changes
  /// nothing and asks no questions.
  /// - Throws: Kind `usage` with the name of the option.
  func checkSettings(_ surroundings: Surroundings) throws
}

extension DrayCommand {
  func checkSettings(_ surroundings: Surroundings) throws {}
}
