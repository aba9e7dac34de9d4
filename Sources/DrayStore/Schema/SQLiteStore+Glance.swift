// A look at a store in passing, by somebody who types: nothing is made, merged or waited for.

import DrayCore
import Posix
import SQLite

extension SQLiteStore {
  /// Seconds to wait for another process that holds the store.
  private static let patience = 0.1

  /// Opens the store of `directory` for one look. Nothing in the directory is another afterwards.
  /// - Returns: `nil` where there is no store that this program could use as it is: none at all, one of another version, one
  ///   that is locked.
  static func glance(_ directory: StateDirectory) -> SQLiteStore? {
    let path = directory.databasePath
    guard let file = try? System.node(path), file.isRegular, file.size > 0, (try? directory.checkOwner()) != nil
    else { return nil }
    var configuration = Configuration()
    configuration.label = "dray.glance"
    configuration.busyTimeout = patience
    // The last connection that may write merges the log and removes it when it is closed; one that may not leaves the files
    // that it needs for the log. So: where there is a log it is left as it is, where there is none none stays.
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
