// The job store as commands open it.

internal import DrayKit

/// The job store as commands open it.
enum Store {
  /// The store; it is made if it is not there. Ask for it after everything that was typed has been checked.
  static func open() throws(Failure) -> DownloadManager { try DownloadManager.openBlocking(configuration()) }

  /// The store if there is one; nothing is made.
  static func openIfPresent() throws(Failure) -> DownloadManager? {
    try DownloadManager.openIfPresentBlocking(configuration())
  }

  /// The state directory, and what holds for hosts.
  private static func configuration() throws(Failure) -> Configuration {
    var configuration = try Configuration.user()
    configuration.hosts = CommandContext.current.hosts
    return configuration
  }

  /// The store with the jobs of dead runners set free, if there is one. A store that can only be read is read.
  static func look() async throws(Failure) -> DownloadManager? {
    guard let manager = try openIfPresent() else { return nil }
    try? await manager.refresh()
    return manager
  }
}
