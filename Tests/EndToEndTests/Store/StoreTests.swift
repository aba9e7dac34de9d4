// The modes of the job store, and many jobs in it: Q9.

import FaultServer
import Foundation
import Testing

@Suite("Store")
struct StoreTests {
  @Test("directories are 0700 and files 0600, whatever the umask")
  func modes() async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.shell(
        "umask 0; $DRAY add \(sandbox.server.url("/f")) && $DRAY run; true")
      expect(finished, exits: 0)
      #expect(sandbox.mode(of: sandbox.home) == 0o700)
      for name in sandbox.names(in: sandbox.home) {
        let path = "\(sandbox.home)/\(name)"
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        #expect(sandbox.mode(of: path) == (isDirectory.boolValue ? 0o700 : 0o600), "\(name)")
      }
    }
  }

  @Test("a state directory that is a file is reported by every command that reads the queue, and stays unchanged")
  func fileAsHome() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version.named("v1", size: 10))
      let file = sandbox.root + "/user/mine"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
      let url = sandbox.server.url("/f")
      let commands = [
        ["list"], ["show", "1"], ["add", url], ["get", url], ["run"], ["pause", "1"], ["resume", "--all"],
        ["retry", "1"],
        ["remove", "1"], ["clean"], ["export"], ["path", "1"], ["limit"], ["limit", "1M"], ["wait", "1"], ["watch"],
        ["set", "1", "retries=1"],
        ["serve", "--status"],
      ]
      for home in [file, file + "/below"] {
        for words in commands {
          let finished = try await sandbox.dray(words, with: ["DRAY_HOME": home])
          #expect(finished.status == 10 && finished.errors.contains("\(file): "), "\(words) \(finished)")
        }
      }
      #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
      sandbox.expectNoFiles()
      #expect(sandbox.server.requests.isEmpty)
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
      let listed = try await sandbox.dray("list", "--json", seconds: 120)
      #expect(listed.exit == .code(0), "\(listed.errors.prefix(1000))")
      let jobs = try JSONDecoder().decode([ListedJob].self, from: Data(listed.output.utf8))
      #expect(jobs.count == 100_000 && jobs.allSatisfy { $0.state == "queued" })
      let table = try await sandbox.dray("list", seconds: 120)
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
