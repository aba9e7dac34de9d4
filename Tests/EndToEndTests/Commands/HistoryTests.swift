// Waiting for jobs, looking back at them, and finding their files.

import FaultServer
import Foundation
import Testing

@Suite("History")
struct HistoryTests {
  static let version = Version.named("v1", size: 1000)

  @Test("wait blocks until jobs of another process have ended, and gives their exit status")
  func wait() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Version.named("v", size: 300_000), script: [.held(by: gate, after: 9)])
      expect(try await sandbox.dray("add", sandbox.server.url("/f"), sandbox.server.url("/missing")), exits: 0)
      let waiter = try sandbox.start(["wait", "1"])
      try await waiter.wait(for: "word of nobody") { waiter.errors.contains("no runner transfers the queue") }
      let both = try sandbox.start(["wait", "--all"])
      try await both.wait(for: "its beginning") { both.errors.contains("waiting for jobs 1, 2") }
      let run = try sandbox.start(["run"])
      try await run.wait(for: "the gate") { gate.arrivals == 1 }
      #expect(waiter.exit == nil)
      gate.open()
      expect(try await waiter.finish(), exits: 0, saying: "complete")
      expect(try await both.finish(), exits: 8, saying: "404")
      expect(try await run.finish(), exits: 8)
      expect(try await sandbox.dray("wait", "1"), exits: 0)
      expect(try await sandbox.dray("wait", "2"), exits: 8)
      expect(try await sandbox.dray("wait", "9"), exits: 2, saying: "no such job")
      expect(try await sandbox.dray("wait", "--all"), exits: 0)
    }
  }

  @Test("wait ends when its time is over, when a job is paused or removed, and by Ctrl-C")
  func waitEnds() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("wait", "1", "--timeout", "300ms"), exits: 1, saying: "gave up waiting for job 1")
      let interrupted = try sandbox.start(["wait", "1"])
      try await interrupted.wait(for: "its beginning") { interrupted.errors.contains("no runner") }
      interrupted.send(SIGINT)
      expect(try await interrupted.finish(), exits: 130)
      let waiter = try sandbox.start(["wait", "1"])
      try await waiter.wait(for: "its beginning") { waiter.errors.contains("waiting for job 1") }
      expect(try await sandbox.dray("pause", "1"), exits: 0)
      expect(try await waiter.finish(), exits: 1, saying: "dray resume 1")
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      let last = try sandbox.start(["wait", "1"])
      try await last.wait(for: "its beginning") { last.errors.contains("waiting for job 1") }
      expect(try await sandbox.dray("remove", "1"), exits: 0)
      expect(try await last.finish(), exits: 1, saying: "removed")
    }
  }

  @Test("wait notices that the runner of its job was killed")
  func waitForTheDead() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Version.named("v", size: 300_000), script: [.held(by: gate, after: 9)])
      let run = try sandbox.start(["get", sandbox.server.url("/f")])
      try await run.wait(for: "the gate") { gate.arrivals == 1 }
      let waiter = try sandbox.start(["wait", "1"])
      try await waiter.wait(for: "its beginning") { waiter.errors.contains("waiting for job 1") }
      try await run.kill9()
      expect(try await waiter.finish(seconds: 30), exits: 1, saying: "interrupted")
      gate.open()
    }
  }

  @Test("list looks back: --since, --match, --all, --long, --sort; secrets are not matched")
  func list() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for path in ["/Big.ISO", "/small.txt"] { server[path] = .init(Self.version) }
      let secret = server.url("/small.txt") + "?token=hunter2"
      expect(try await sandbox.dray("get", server.url("/Big.ISO"), secret), exits: 0)
      func ids(_ options: String...) async throws -> [Int] {
        let listed = try await sandbox.dray(["list", "--json"] + options)
        expect(listed, exits: 0)
        return try JSONDecoder().decode([ListedJob].self, from: Data(listed.output.utf8)).map(\.id)
      }
      #expect(try await ids("--match", "big") == [1])
      #expect(try await ids("--match", "*.iso") == [1])
      #expect(try await ids("--match", "hunter2").isEmpty)
      #expect(try await ids("--match", "downloads") == [1, 2])
      #expect(try await ids("--since", "1d", "--sort", "name") == [1, 2])
      #expect(try await ids("--since", "2099-01-01").isEmpty)
      #expect(try await ids("--all").count == 2)
      expect(try await sandbox.dray("list", "--long"), exits: 0, saying: "ENDED")
      expect(try await sandbox.dray("list", "--since", "yesterday"), exits: 2, saying: "--since")
      expect(try await sandbox.dray("clean", "--older-than", "1d"), exits: 0, saying: "0 jobs forgotten")
      expect(try await sandbox.dray("clean", "--older-than", "0"), exits: 0, saying: "2 jobs forgotten")
    }
  }

  @Test("path prints the paths of files, and open shows complete ones")
  func pathAndOpen() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", server.url("/f")), exits: 0)
      expect(try await sandbox.dray("add", server.url("/later")), exits: 0)
      #expect(try await sandbox.dray("path", "1").output == sandbox.path("f") + "\n")
      #expect(try await sandbox.dray("path", "-0", "1").output == sandbox.path("f") + "\0")
      expect(try await sandbox.dray("path", "2"), exits: 1, saying: "has not named the file")
      expect(try await sandbox.dray("path", "--part", "1"), exits: 1, saying: "no part file")
      expect(try await sandbox.dray("path", "7"), exits: 2)

      let tools = sandbox.root + "/tools"
      try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
      func open(_ id: String) async throws -> Finished {
        try await sandbox.start(["open", id]) { $0.environment["PATH"] = tools }.finish()
      }
      expect(try await open("1"), exits: 1, saying: "no program that opens files")
      try await sandbox.install("#!/bin/sh\necho \"opened $1\"\n", at: tools + "/xdg-open")
      expect(try await open("1"), exits: 0, saying: "opened \(sandbox.path("f"))")
      expect(try await open("2"), exits: 1, saying: "only files of complete jobs")
      try FileManager.default.removeItem(atPath: sandbox.path("f"))
      expect(try await open("1"), exits: 3, saying: "no longer exists")
    }
  }
}
