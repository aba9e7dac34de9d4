// Opens the job store for commands.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import Synchronization

enum Store {
  /// Opens the store, and creates it if necessary. Call this after all arguments have been checked.
  static func open() throws(Failure) -> DownloadManager { opened(try DownloadManager.openBlocking(configuration())) }

  /// Opens the store for a service, whose readers never wait for writers.
  static func openForService() throws(Failure) -> DownloadManager {
    var configuration = try configuration()
    configuration.looksApart = true
    return opened(try DownloadManager.openBlocking(configuration))
  }

  static func openIfPresent() throws(Failure) -> DownloadManager? {
    try DownloadManager.openIfPresentBlocking(configuration()).map(opened)
  }

  /// Opens the store for a process that transfers. While the database of a fleet is away, waits like a run that has
  /// begun, and says so once.
  static func patiently<T>(_ open: () throws(Failure) -> T) async throws(Failure) -> T {
    guard case .database? = CommandContext.current.store else { return try open() }
    // A host that does not answer at all is reported by its first failure only after seconds.
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

  /// Closes all open stores just before the process ends. A thread that has just used the store may still hold it, and
  /// then the store would leave its log behind.
  static func close() {
    for one in all.withLock(\.self) { one.manager?.close() }
  }

  /// The state directory, the job store, and the rules for hosts.
  private static func configuration() throws(Failure) -> Configuration {
    var configuration = try user()
    configuration.hosts = CommandContext.current.hosts
    return configuration
  }

  /// Returns the state directory and the job store of this command line.
  /// - Throws: Kind `store` if no directory can be found; kind `usage` for a variable that names no store.
  static func user() throws(Failure) -> Configuration {
    // Completions run without a context.
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

  /// Opens the store if it exists, and recovers the jobs of dead runners. Recovery is skipped if the store is
  /// read-only.
  static func look() async throws(Failure) -> DownloadManager? {
    guard let manager = try openIfPresent() else { return nil }
    try? await manager.refresh()
    return manager
  }
}
