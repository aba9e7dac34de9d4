// Shared by the tests of the store: a temporary state directory, and short ways to make jobs.

import DrayCore
import Foundation
import Testing

@testable import DrayStore

/// A state directory below the temporary one, removed with this value.
final class TemporaryState: Sendable {
  let directory: StateDirectory

  init() {
    let path = NSTemporaryDirectory() + "dray-store-\(UUID().uuidString)"
    directory = StateDirectory(path: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory.path) }

  func open(busyTimeout: Double = 40) throws -> SQLiteStore {
    try SQLiteStore.open(directory, busyTimeout: busyTimeout)
  }

  /// Writes `bytes` as the database.
  func plant(_ bytes: Data) throws {
    try directory.create()
    try bytes.write(to: URL(fileURLWithPath: directory.databasePath))
  }

  var databaseBytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: directory.databasePath)) }
  }

  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }
  }
}
