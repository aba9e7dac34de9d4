// Opens the job store for commands.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import Synchronization

enum Store {
  /// Opens the store, and creates it if it does not exist. A command calls this only after it has checked all its
  /// arguments.
  static func open() throws(Failure) -> DownloadManager { opened(try DownloadManager.openBlocking(configuration())) }

  /// Opens the store for a service, so that its readers never wait for writers.
  static func openForService() throws(Failure) -> DownloadManager {
    var configuration = try configuration()
    configuration.looksApart = true
    return opened(try DownloadManager.openBlocking(configuration))
  }

  static func openIfPresent() throws(Failure) -> DownloadManager? {
    try DownloadManager.openIfPresentBlocking(configuration()).map(opened)
  }

  /// Opens the store for a process that transfers files. While the database of a fleet cannot be reached, this method
  /// waits as a running command would, and tells the user once.
  static func patiently<T>(_ open: () throws(Failure) -> T) async throws(Failure) -> T {
    guard case .database? = CommandContext.current.store else { return try open() }
    // If a host does not answer at all, the first failure, which would be reported, comes only after seconds.
    let word = Task {
      try await Task.sleep(for: .seconds(2))
      Messages.print("the database does not answer; waiting for it")
    }
    defer { word.cancel() }
    var failures = 0
    while true {
      do throws(Failure) { return try open() } catch {
        guard error.isStoreAway, !Task.isCancelled else { throw error }
        if failures == 0, !word.isCancelled {
          word.cancel()
          Messages.print("\(error.reason); waiting for it")
        }
        failures += 1
        try? await Task.sleep(for: .seconds(LeaseRule.pause(afterFailures: failures)))
      }
    }
  }

  private struct Opened: Sendable {
    weak var manager: DownloadManager?
  }

  private static let all = Mutex<[Opened]>([])

  private static func opened(_ manager: DownloadManager) -> DownloadManager {
    all.withLock { $0.append(Opened(manager: manager)) }
    return manager
  }

  /// Closes all open stores just before the process ends. Otherwise a thread that has just used a store may still keep
  /// it open, and the store would leave its log files behind.
  static func close() {
    for one in all.withLock(\.self) { one.manager?.close() }
  }

  /// Returns the state directory, the job store, and the rules for hosts.
  private static func configuration() throws(Failure) -> Configuration {
    var configuration = try user()
    configuration.hosts = CommandContext.current.hosts
    return configuration
  }

  /// Returns the state directory and the job store of this command line.
  /// - Throws: Kind `store` if there is no state directory; kind `usage` for a variable whose value is not a store.
  static func user() throws(Failure) -> Configuration {
    // Completions run without a command context.
    let chosen =
      if let store = CommandContext.current.store { Optional(store) } else {
        try StoreChoice.choose(nil, environment: ProcessVariables.all)
      }
    switch chosen {
    case nil: return try Configuration.user()
    case .directory(let path)?:
      return Configuration(home: StateDirectory(path: PathText.absolute(path, from: System.currentDirectory ?? "/")))
    case .database(let uri)?:
      var configuration = try Configuration.user()
      configuration.database = uri
      configuration.reach = CommandContext.current.reach
      return configuration
    }
  }

  /// Opens the store if it exists, and recovers the jobs of runners that died. The recovery is skipped if the store can
  /// only be read.
  static func look() async throws(Failure) -> DownloadManager? {
    guard let manager = try openIfPresent() else { return nil }
    try? await manager.refresh()
    return manager
  }
}
