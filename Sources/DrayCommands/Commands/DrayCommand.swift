// What every command of dray is.

internal import ArgumentParser
internal import DrayKit

/// A command: parsed by ArgumentParser, done by ``execute()``.
protocol DrayCommand: ParsableCommand, Sendable {
  /// Does it.
  /// - Returns: the exit status; results are in ``ResultOutput/standard``.
  /// - Throws: ``DrayCore/Failure``.
  func execute() async throws -> ExitStatus
  /// Checks what the configuration may have set of its options, beyond what parsing does. Nothing is touched, and nobody is
  /// asked.
  /// - Throws: kind `usage`, naming the option.
  func checkSettings(_ surroundings: Surroundings) throws
}

extension DrayCommand {
  func checkSettings(_ surroundings: Surroundings) throws {}
}
