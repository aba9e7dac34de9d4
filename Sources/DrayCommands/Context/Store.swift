// The job store as commands open it.

internal import DrayKit
internal import Synchronization

/// The job store as commands open it.
enum Store {
  /// The store; it is made if it is not there. Ask for it after everything that was typed has been checked.
  static func open() throws(Failure) -> DownloadManager { opened(try DownloadManager.openBlocking(configuration())) }

  /// The same for a service: readers of its jobs never wait for writers.
  static func openForService() throws(Failure) -> DownloadManager {
    var configuration = try configuration()
    configuration.looksApart = true
    return opened(try DownloadManager.openBlocking(configuration))
  }

  /// The store if there is one; nothing is made.
  static func openIfPresent() throws(Failure) -> DownloadManager? {
    try DownloadManager.openIfPresentBlocking(configuration()).map(opened)
  }

  private struct Opened: Sendable {
    weak var manager: DownloadManager?
  }

  private static let all = Mutex<[Opened]>([])

  private static func opened(_ manager: DownloadManager) -> DownloadManager {
    all.withLock { $0.append(Opened(manager: manager)) }
    return manager
  }

  /// Closes what is open. The process ends after this: a thread that has just used the store may still hold it, and the store
  /// would leave its log.
  static func close() {
    for one in all.withLock(\.self) { one.manager?.close() }
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
