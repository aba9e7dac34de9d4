// The order of the queue from the command line: --after, move, --start-at, --max-per-host, and their display in `list`.

import FaultServer
import Foundation
import Testing

@Suite("Order")
struct OrderTests {
  static let version = Version.named("v1", size: 1000)

  @Test("a job waits until the jobs of --after are complete")
  func after() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["a", "b", "c"] { server["/" + name] = .init(Self.version) }
      expect(try await sandbox.dray("add", "--priority=-1", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", "--priority=5", "--after", "1", server.url("/b")), exits: 0)
      expect(
        try await sandbox.dray(["add", "-i", "-"], input: server.url("/c") + "\n  after=1,2\n  priority=9\n"), exits: 0)
      let listed = try await sandbox.dray("list")
      expect(listed, exits: 0, saying: "waits for 1, 2")
      expect(try await sandbox.dray("show", "3"), exits: 0, saying: "waits for")
      expect(try await sandbox.dray("run", "-j", "5"), exits: 0)
      #expect(server.requests.map(\.path) == ["/a", "/b", "/c"])
    }
  }

  @Test("a job that waits for a failed job fails with its kind, and a retry of the latter brings both back")
  func afterFailure() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/a"] = .init(Self.version, script: [.status(404), .normal])
      server["/b"] = .init(Self.version)
      expect(try await sandbox.dray("add", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", "--after=1", server.url("/b")), exits: 0)
      let run = try await sandbox.dray("run")
      expect(run, exits: 8, saying: "it waits for job 1, which failed")
      #expect(run.errors.contains("dray retry 1"))
      #expect(try await sandbox.jobs().map(\.state) == ["failed", "failed"])
      expect(try await sandbox.dray("retry", "2"), exits: 1, saying: "job 1")
      expect(try await sandbox.dray("retry", "1"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["a": Self.version.content, "b": Self.version.content])
    }
  }

  @Test("a job that waits for a removed job fails, and a retry runs without it")
  func afterRemoval() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/b"] = .init(Self.version)
      expect(try await sandbox.dray("add", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", "--after=1", server.url("/b")), exits: 0)
      expect(try await sandbox.dray("remove", "1"), exits: 0)
      #expect(try await sandbox.onlyJob().error?.message.contains("was removed before it was complete") == true)
      expect(try await sandbox.dray("retry", "2"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["b": Self.version.content])
    }
  }

  @Test("a job waits for a paused one: run ends without it, get stays")
  func afterPaused() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["a", "b", "c"] { server["/" + name] = .init(Self.version) }
      expect(try await sandbox.dray("add", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("pause", "1"), exits: 0)
      expect(try await sandbox.dray("add", "--after=1", server.url("/b")), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(server.requests.isEmpty)
      let get = try sandbox.start(["get", "--after", "1", server.url("/c")])
      try await get.wait(for: "the word about the wait") { get.errors.contains("waits for job 1, which is paused") }
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      expect(try await get.finish(), exits: 0)
      #expect(sandbox.names() == ["a", "b", "c"])
    }
  }

  @Test(
    "an impossible wait is refused, and nothing is queued",
    arguments: [
      (["--after", "9"], "job 9: no such job"), (["--after", "x"], "not an id"), (["--after", "2"], "has failed"),
    ])
  func badAfter(options: [String], reason: String) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      expect(try await sandbox.dray("add", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("get", server.url("/missing")), exits: 8)
      expect(try await sandbox.dray(["add"] + options + [server.url("/b")]), exits: 2, saying: reason)
      // A job cannot wait for itself.
      expect(try await sandbox.dray("add", "--after=1", server.url("/a")), exits: 2, saying: "cannot wait")
      #expect(try await sandbox.jobs().count == 2)
    }
  }

  @Test("move changes the order, across priorities")
  func move() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for (name, priority) in [("a", "0"), ("b", "0"), ("c", "5"), ("d", "0")] {
        server["/" + name] = .init(Self.version)
        expect(try await sandbox.dray("add", "--priority", priority, server.url("/" + name)), exits: 0)
      }
      expect(try await sandbox.dray("move", "4", "--first"), exits: 0)
      expect(try await sandbox.dray("move", "3", "--last"), exits: 0)
      expect(try await sandbox.dray("move", "2", "--before", "1"), exits: 0)
      expect(try await sandbox.dray("move", "2", "--before", "9"), exits: 2, saying: "no such job")
      expect(try await sandbox.dray("move", "2"), exits: 2, saying: "--first")
      let listed = try await sandbox.dray("list", "--json", "--sort", "queue")
      let jobs = try JSONDecoder().decode([ListedJob].self, from: Data(listed.output.utf8))
      #expect(jobs.map(\.id) == [4, 2, 1, 3])
      expect(try await sandbox.dray("run", "-j", "1"), exits: 0)
      #expect(server.requests.map(\.path) == ["/d", "/b", "/a", "/c"])
      expect(try await sandbox.dray("move", "1", "--first"), exits: 2, saying: "complete")
    }
  }

  @Test("a job with --start-at does not start before, and resume starts it at once")
  func startAt() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for name in ["now", "soon", "late"] { server["/" + name] = .init(Self.version) }
      expect(try await sandbox.dray("add", "--start-at", "+2h", server.url("/late")), exits: 0)
      expect(try await sandbox.dray("add", "--start-at", "+1s", server.url("/soon")), exits: 0)
      expect(try await sandbox.dray("add", server.url("/now")), exits: 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "starts ")
      expect(try await sandbox.dray("add", "--start-at", "25:00", server.url("/x")), exits: 2, saying: "not a time")
      let run = try sandbox.start(["run"])
      try await run.wait(for: "the first two") { server.requests.count == 2 }
      #expect(Set(server.requests.map(\.path)) == ["/now", "/soon"])
      #expect(try await sandbox.jobs().first?.state == "queued")
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      expect(try await run.finish(), exits: 0)
      #expect(sandbox.names() == ["now", "soon", "late"])
    }
  }

  @Test("no origin gets more than --max-per-host, over all runners, and other origins fill the slots")
  func maxPerHost() async throws {
    try await Sandbox.use { sandbox in
      let (one, other) = (sandbox.server, try FaultServer())
      defer { other.stop() }
      let gates = [Gate(), Gate()]
      for number in 0..<4 {
        for (server, gate) in zip([one, other], gates) {
          server["/\(server.port)-\(number)"] = .init(
            Version.named("v", size: 300_000), script: [.held(by: gate, after: 9)])
        }
      }
      let urls = [one, other].flatMap { server in (0..<4).map { server.url("/\(server.port)-\($0)") } }
      expect(try await sandbox.dray(["add"] + urls), exits: 0)
      let runners = try (0..<2).map { _ in try sandbox.start(["run", "-j", "8", "--max-per-host", "2"]) }
      try await runners[0].wait(for: "two of each") { gates.allSatisfy { $0.arrivals == 2 } }
      let active = try await sandbox.dray("list", "--json", "--state", "active")
      #expect(try JSONDecoder().decode([ListedJob].self, from: Data(active.output.utf8)).count == 4)
      #expect(gates.map(\.arrivals) == [2, 2])
      // A free slot of an origin goes to the next job of that origin.
      gates[1].open()
      try await waitUntil("all of the other") { other.requests.count == 4 }
      #expect(gates[0].arrivals == 2)
      gates[0].open()
      for runner in runners { expect(try await runner.finish(seconds: 30), exits: 0) }
      #expect(sandbox.names().count == 8)
    }
  }
}
