// Opens a store. Nothing is written until the file is known to be dray's, undamaged, and of a usable version (P14).

internal import DrayCore
internal import Posix
internal import SQLite
internal import Threads

extension SQLiteStore {
  /// Opens the store of `directory`; creates the store and the directory if they are missing. The call blocks the
  /// calling thread. Calls of the store wait up to `busyTimeout` seconds for another process that blocks the store.
  /// Before that, a write waits for its turn, as long as other processes keep writing.
  /// - Parameters:looksApart: Whether read-only calls use a separate connection, so that they wait for no writer.
  ///   - looksApart: Whether read-only calls use a second connection, so that they wait for no writer.
  ///   - executor: Runs the calls of callers that must not block.
  static func open(
    _ directory: StateDirectory, busyTimeout: Double = 40, looksApart: Bool = false, executor: BlockingExecutor? = nil
  ) throws(Failure) -> SQLiteStore {
    try directory.create()
    try makeFile(directory)
    let writer = try connect(directory, busyTimeout)
    let reader = looksApart ? try connect(directory, busyTimeout) : nil
    return SQLiteStore(directory, writer, reader: reader, busyTimeout: busyTimeout, executor: executor)
  }

  /// Opens the store of `directory` if it exists. Creates nothing. An empty database file is not a store yet.
  static func openIfPresent(
    _ directory: StateDirectory, busyTimeout: Double = 40, executor: BlockingExecutor? = nil
  ) throws(Failure) -> SQLiteStore? {
    do {
      if try System.node(directory.databasePath).size == 0 { return nil }
    } catch {
      if error.code == SystemError.noDirectory { throw directory.noDirectory() }
      if error.code == SystemError.noEntry { return nil }
      throw unreadable(directory.databasePath, error)
    }
    try directory.checkOwner()
    return SQLiteStore(directory, try connect(directory, busyTimeout), busyTimeout: busyTimeout, executor: executor)
  }

  /// Opens an empty store in memory, and creates `directory` for leases. Nothing is synced. The call blocks the calling
  /// thread.
  static func openInMemory(
    _ directory: StateDirectory, executor: BlockingExecutor
  ) throws(Failure) -> SQLiteStore {
    do {
      for path in [directory.path, directory.runnersPath] { _ = try System.makeDirectory(path) }
      let connection = try DatabaseQueue()
      try connection.access { db in
        try prepare(db)
        try Schema.create(db)
      }
      return SQLiteStore(directory, connection, busyTimeout: 0, executor: executor)
    } catch let error as SystemError {
      throw unreadable(directory.path, error)
    } catch {
      throw StoreFailure.make(error, path: directory.path)
    }
  }

  /// Creates the database file. Only the database needs to be made private, because SQLite gives its log the same
  /// permissions.
  private static func makeFile(_ directory: StateDirectory) throws(Failure) {
    do {
      System.close(try System.create(directory.databasePath, mode: 0o600))
      System.syncDirectory(directory.path)
    } catch {
      if error.code != SystemError.exists { throw unreadable(directory.databasePath, error) }
    }
  }

  private static func connect(_ directory: StateDirectory, _ busyTimeout: Double) throws(Failure) -> DatabaseQueue {
    let path = directory.databasePath
    // Open the file only through SQLite, because closing any other descriptor would drop the locks of all connections
    // of this process (fcntl(2)).
    do {
      guard try System.node(path).isRegular else { throw StoreFailure.foreign(path, "not a regular file") }
      var configuration = DatabaseConfiguration()
      configuration.label = "dray.store"
      configuration.busyTimeout = busyTimeout

      if let log = try? System.node(path + "-wal"), log.size > 0 {
        // A writable connection merges the log into the file when the connection is closed, even if the store was
        // refused.
        var careful = configuration
        careful.readonly = true
        try DatabaseQueue(path: path, configuration: careful).access { db in try check(db, path) }
      }
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      try connection.access { db in
        try check(db, path)
        try prepare(db)
        if try Schema.version(of: db) == 0 { try Schema.create(db) }
      }
      return connection
    } catch let error as SystemError {
      throw unreadable(path, error)
    } catch {
      throw StoreFailure.make(error, path: path)
    }
  }

  /// Throws unless the database is empty, or a store that this program knows. The check only reads.
  private static func check(_ db: Database, _ path: String) throws {
    let pages = try StoreCheck.pages(path) { question in
      switch question {
      case .pages: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      case .application: try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      case .tables: try db.tableExists("jobs") ? 1 : 0
      case .version: try Schema.version(of: db)
      }
    }
    guard pages > 0 else { return }
    let pageSize = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
    // After a crash during a merge, the database may have half-written pages. The log still has the whole pages in that
    // case, and SQLite merges them again.
    let log = try? System.node(path + "-wal")
    if log?.size ?? 0 == 0, try System.node(path).size % pageSize != 0 {
      throw StoreFailure.corrupt(path, "it ends in the middle of a page")
    }
    // Check all pages of a small store. The pages of a large store are checked as they are used.
    if pages <= 256, let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), found != "ok" {
      throw StoreFailure.corrupt(path, found.split(separator: "\n").last.map(String.init) ?? found)
    }
  }

  /// The size of the page cache, in KiB.
  static let cache = 2000

  private static func prepare(_ db: Database) throws {
    // The log is merged at 16 MB and then truncated. Many small commits share one merge, and adding 100,000 jobs at
    // once leaves no large log behind. Deleted content may be secret, so it is overwritten where overwriting costs
    // nothing.
    try db.execute(
      sql: """
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(cache);
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA journal_size_limit = 16777216;
        PRAGMA secure_delete = FAST;
        """)
    if try Int64.fetchOne(db, sql: "PRAGMA page_count") == 0 {
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    // Set the mode only if it differs, because setting it always writes to the file.
    if try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" {
      try db.execute(sql: "PRAGMA journal_mode = WAL")
    }
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> Failure {
    Failure(
      .store, path, "the job store cannot be opened: \(error.text)",
      advice: "check its owner, or set \(.stateDirectory) to another directory")
  }
}
