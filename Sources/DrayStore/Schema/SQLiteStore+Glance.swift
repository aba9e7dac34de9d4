// Reads a store quickly while the user types. It creates nothing, does not merge the log, and never waits for another
// process.

internal import DrayCore
internal import Posix
internal import SQLite

extension SQLiteStore {
  /// The seconds to wait for another process that blocks the store.
  private static let patience = 0.1

  /// Opens the store of `directory` for one read. It leaves the directory unchanged.
  /// - Returns: `nil` if this program cannot use the store as it is: missing, locked, or of another version.
  static func glance(_ directory: StateDirectory) -> SQLiteStore? {
    let path = directory.databasePath
    guard let file = try? System.node(path), file.isRegular, file.size > 0, (try? directory.checkOwner()) != nil
    else { return nil }
    var configuration = DatabaseConfiguration()
    configuration.label = "dray.glance"
    configuration.busyTimeout = patience
    // When the last writable connection is closed, it merges and removes the log; a read-only connection leaves files
    // of the log behind. So if a log exists, open read-only to leave it unchanged; if not, open writable to leave none
    // behind.
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
