// The job store when something is wrong with it: Q6, Q8, Q9 of CASES.md.

import FaultServer
import Foundation
import Testing

@Suite("Store")
struct StoreTests {
  /// A store with one job, and nothing in its write-ahead log.
  private func makeStore(_ sandbox: Sandbox) async throws -> String {
    expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
    let store = sandbox.home + "/dray.sqlite"
    try await sql(sandbox, "PRAGMA wal_checkpoint(TRUNCATE)")
    return store
  }

  private func sql(_ sandbox: Sandbox, _ statement: String) async throws {
    let code =
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]).fetchall(); c.commit()"
    expect(
      try await sandbox.tool("python3", ["-c", code, sandbox.home + "/dray.sqlite", statement]), exits: 0)
  }

  @Test("Q6 locked for three seconds: `add` waits and succeeds")
  func locked() async throws {
    try await Sandbox.use { sandbox in
      let store = try await makeStore(sandbox)
      let code = """
        import sqlite3, sys, time
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        c.execute("BEGIN EXCLUSIVE"); print("locked", flush=True); time.sleep(3)
        c.execute("COMMIT")
        """
      let holder = try sandbox.launch(try toolPath("python3"), ["-c", code, store])
      try await holder.wait(for: "the lock") { holder.output.contains("locked") }
      let finished = try await sandbox.dray("add", sandbox.server.url("/g"))
      expect(finished, exits: 0)
      // It cannot have succeeded before the lock was gone; that the holder ends is seen a moment later.
      expect(try await holder.finish(), exits: 0)
      #expect(try await sandbox.jobs().count == 2)
    }
  }

  enum Damage: Sendable, CaseIterable {
    case garbage, truncated, text, newerMigration
  }

  @Test(
    "Q6 P14 a store that is corrupt or newer: 10, and not a byte of it changes", arguments: Damage.allCases)
  func damaged(_ damage: Damage) async throws {
    try await Sandbox.use { sandbox in
      let store = try await makeStore(sandbox)
      let url = URL(fileURLWithPath: store)
      switch damage {
      case .garbage: try Data(Content.generated(seed: 5, size: 20_000).allBytes).write(to: url)
      case .truncated: try Data(contentsOf: url).prefix(5_000).write(to: url)
      case .text: try Data("not a database\n".utf8).write(to: url)
      case .newerMigration:
        try await sql(sandbox, "INSERT INTO grdb_migrations VALUES ('from-the-future')")
        try await sql(sandbox, "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      let before = try Data(contentsOf: url)
      for arguments in [
        ["list"], ["add", sandbox.server.url("/g")], ["run"], ["get", sandbox.server.url("/g")],
      ] {
        let finished = try await sandbox.dray(arguments)
        expect(finished, exits: 10)
        #expect(finished.errors.contains("dray.sqlite"), "\(finished)")
        #expect(try Data(contentsOf: url) == before, "\(finished)")
      }
      #expect(sandbox.server.requests.isEmpty)
      sandbox.expectNoFiles()
    }
  }

  @Test("an empty dray.sqlite is a new one")
  func empty() async throws {
    try await Sandbox.use { sandbox in
      try FileManager.default.createDirectory(atPath: sandbox.home, withIntermediateDirectories: false)
      try Data().write(to: URL(fileURLWithPath: sandbox.home + "/dray.sqlite"))
      sandbox.server["/f"] = .init(AnswerCase.version)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      #expect(try await sandbox.onlyJob().state == "complete")
    }
  }

  @Test("Q8 a state directory that cannot be made: 10, and the path is named")
  func noPlace() async throws {
    try await Sandbox.use { sandbox in
      let program = try sandbox.start(["add", sandbox.server.url("/f")]) {
        $0.environment["DRAY_HOME"] = "/dev/null/home"
      }
      let finished = try await program.finish()
      expect(finished, exits: 10)
      #expect(finished.errors.contains("/dev/null"), "\(finished)")
    }
  }

  @Test("without DRAY_HOME the state lies under XDG_STATE_HOME, else under ~/.local/state")
  func statePlace() async throws {
    try await Sandbox.use { sandbox in
      let user = sandbox.root + "/user"
      for (variable, place) in [(user + "/xdg", user + "/xdg/dray"), ("", user + "/.local/state/dray")] {
        let program = try sandbox.start(["add", sandbox.server.url("/f"), "-o", UUID().uuidString]) {
          $0.environment["DRAY_HOME"] = nil
          $0.environment["XDG_STATE_HOME"] = variable.isEmpty ? nil : variable
        }
        expect(try await program.finish(), exits: 0)
        #expect(sandbox.names(in: place).contains("dray.sqlite"))
      }
    }
  }

  @Test("directories are 0700 and files 0600, whatever the umask")
  func modes() async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.shell(
        "umask 0; $DRAY add \(sandbox.server.url("/f")) && $DRAY run; true")
      expect(finished, exits: 0)
      func mode(_ path: String) -> Int? {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber)?.intValue
      }
      #expect(mode(sandbox.home) == 0o700)
      for name in sandbox.names(in: sandbox.home) {
        let path = "\(sandbox.home)/\(name)"
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        #expect(mode(path) == (isDirectory.boolValue ? 0o700 : 0o600), "\(name)")
      }
    }
  }

  @Test("Q9 100,000 URLs from a file are queued in one call, and listed")
  func manyJobs() async throws {
    try await Sandbox.use { sandbox in
      let lines = (0..<100_000).map { "http://127.0.0.1:9/file-\($0).bin" }
      try sandbox.write(lines.joined(separator: "\n") + "\n", to: "../list")
      let added = try await sandbox.dray("add", "-i", "../list", seconds: 120)
      #expect(added.exit == .code(0), "\(added.errors.prefix(1000))")
      #expect(added.output.split(separator: "\n").count == 100_000)
      let jobs = try await sandbox.jobs()
      #expect(jobs.count == 100_000 && jobs.allSatisfy { $0.state == "queued" })
      let table = try await sandbox.dray("list")
      expect(table, exits: 0)
      #expect(table.output.split(separator: "\n").count >= 100_000)
    }
  }

  @Test("Q9 forty `add`s at once: all are stored, each id once")
  func manyAdders() async throws {
    try await Sandbox.use { sandbox in
      let programs = try (0..<40).map { try sandbox.start(["add", sandbox.server.url("/f\($0)")]) }
      var ids: Set<String> = []
      for program in programs {
        let finished = try await program.finish()
        expect(finished, exits: 0)
        ids.insert(finished.output.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      #expect(ids.count == 40)
      #expect(try await sandbox.jobs().count == 40)
    }
  }
}
