// Reads a store quickly while the user types. Reading creates nothing, does not merge the log, and never waits for
// another process.

internal import DrayCore
internal import Posix
internal import SQLite

extension SQLiteStore {
  /// The seconds to wait if another process blocks the store.
  private static let patience = 0.1

  /// Opens the store of `directory` for one read. This leaves the directory unchanged.
  /// - Returns: The store; `nil` if the store is missing, locked or of another version, so that this program cannot use
  ///   it as it is.
  static func glance(_ directory: StateDirectory) -> SQLiteStore? {
    let path = directory.databasePath
    guard let file = try? System.node(path), file.isRegular, file.size > 0, (try? directory.checkOwner()) != nil
    else { return nil }
    var configuration = DatabaseConfiguration()
    configuration.label = "dray.glance"
    configuration.busyTimeout = patience
    // When the last writable connection is closed, it merges and removes the log. A read-only connection leaves the
    // log's files behind. So if a log exists, open read-only to keep the log unchanged; if none exists, open writable
    // to leave none behind.
    if let log = try? System.node(path + "-wal"), log.size > 0 { configuration.readonly = true }
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
    let isUsable = try? queue.access { db in
      try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID
        && Schema.version(of: db) == Schema.version
    }
    guard isUsable == true else { return nil }
    return SQLiteStore(directory, queue, busyTimeout: patience)
  }
}
