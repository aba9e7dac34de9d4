// The scenarios of a store that an older version wrote, and of the fixtures that the store's own tests have of it.

import Foundation

extension CrashScenario {
  /// A store of the version that was shipped, and of the one after it, on its way to which every later migration is passed.
  static let migrations = [migration(1), migration(2)]

  /// `list` opens the store, and so brings it up to date. Nothing is transferred: the jobs name hosts that are not here.
  static func migration(_ version: Int) -> CrashScenario {
    CrashScenario(
      name: "migration-\(version)",
      prepare: { sandbox, _ in
        for directory in [sandbox.home, sandbox.home + "/runners"] {
          try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let database = sandbox.home + "/dray.sqlite"
        try sandbox.write(try statements(ofVersion: version), to: "../streams/store.sql")
        let script = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())"
        let made = try await sandbox.tool("python3", ["-c", script, database, sandbox.root + "/streams/store.sql"])
        guard made.status == 0 else { throw HarnessError("\(made)") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
      },
      command: { _ in ["list"] }, again: { _ in [["list"]] }, wanted: [:], keepsJobs: true)
  }

  /// The SQL in the source of the fixture, between its quotes.
  private static func statements(ofVersion version: Int) throws -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = tests.appending(path: "DrayStoreTests/Schema/FixtureV\(version).swift")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\"\"\"")
    guard parts.count == 3 else { throw HarnessError("no fixture in \(file.path)") }
    return parts[1]
  }
}
