// Keeps settings that any process may change, and that runners apply while they run.

internal import DrayCore

extension SQLStore {
  func setting(_ name: StoreSetting) async throws(Failure) -> String? {
    try await look { db in
      try db.value("SELECT value FROM settings WHERE name = \(name.rawValue)", as: String.self)
    }
  }

  func set(_ name: StoreSetting, to value: String?) async throws(Failure) {
    try await transaction(.durable) { db in
      if let value {
        try db.run(
          """
          INSERT INTO settings (name, value) VALUES (\(name.rawValue), \(value))
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
          """)
      } else {
        try db.run("DELETE FROM settings WHERE name = \(name.rawValue)")
      }
    }
  }
}
