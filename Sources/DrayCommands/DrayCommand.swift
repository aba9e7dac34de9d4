// What every command of dray is, and what it stands on.

internal import ArgumentParser
internal import DrayKit
import Foundation

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

/// The job store as commands open it.
enum Store {
  /// The store; it is made if it is not there. Ask for it after everything that was typed has been checked.
  static func open() throws(Failure) -> DownloadManager { try DownloadManager.open(configuration()) }

  /// The store if there is one; nothing is made.
  static func openIfPresent() throws(Failure) -> DownloadManager? {
    try DownloadManager.openIfPresent(configuration())
  }

  /// The state directory, and what holds for hosts.
  private static func configuration() throws(Failure) -> Configuration {
    var configuration = try Configuration()
    configuration.hosts = CommandContext.current.hosts
    return configuration
  }

  /// The store with the jobs of dead runners set free, if there is one. A store that can only be read is read.
  static func look() throws(Failure) -> DownloadManager? {
    guard let manager = try openIfPresent() else { return nil }
    try? manager.refresh()
    return manager
  }
}

/// Variables of the process that are asked for in more than one place.
enum ProcessVariables {
  static var all: [String: String] { ProcessInfo.processInfo.environment }
}
