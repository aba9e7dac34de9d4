// Windows: a job's own, a run's, and that of all runners.

import FaultServer
import Foundation
import Testing

@Suite("Window")
struct WindowTests {
  static let version = Version.named("v1", size: 4 << 20)

  /// A window that is closed today and tomorrow, in every zone.
  static var closed: String {
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    // 1970-01-01 was a Thursday.
    return names[(Int(Date().timeIntervalSince1970) / 86_400 + 3) % 7]
  }

  @Test("when the window of all runners closes, a transfer stops with its bytes kept; it goes on when the window opens")
  func stopsAndGoesOn() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 1 << 20), .normal])
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "a MiB", every: 0.1) { try await sandbox.jobs().first?.received ?? 0 >= 1 << 20 }
      expect(try await sandbox.dray("limit", "--window", Self.closed), exits: 0, saying: "window: closed")
      try await sandbox.waitForState("queued")
      #expect(try await sandbox.onlyJob().received > 0)
      expect(try await sandbox.dray("limit", "--window", "off"), exits: 0, saying: "all times")
      let ended = try await get.finish()
      expect(ended, exits: 0, saying: "outside its window: continues at ")
      gate.open()
      sandbox.expectFiles(["f": Self.version.content])
      #expect(sandbox.server.requests.count == 2)
      expect(try await sandbox.dray("limit", "--window", "auto"), exits: 0, saying: "its own --between")
    }
  }

  @Test("a window that is set on an active job stops it within two seconds, and lets it go on; nothing else can be set")
  func setOnAnActiveJob() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 1 << 20), .normal])
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "a MiB", every: 0.1) { try await sandbox.jobs().first?.received ?? 0 >= 1 << 20 }
      expect(try await sandbox.dray("set", "1", "retries=9"), exits: 1, saying: "while it is active")
      expect(try await sandbox.dray("set", "1", "between=\(Self.closed)"), exits: 0)
      try await sandbox.waitForState("queued")
      #expect(try await sandbox.onlyJob().received > 0)
      expect(try await sandbox.dray("set", "1", "between=off"), exits: 0)
      expect(try await get.finish(), exits: 0, saying: "outside its window: continues at ")
      gate.open()
      sandbox.expectFiles(["f": Self.version.content])
      #expect(sandbox.server.requests.count == 2)
    }
  }

  @Test("a window that is set on a file of a batch stops it before its answer, and lets it go on")
  func setOnAFileOfABatch() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let small = Version.named("small", size: 5000)
      server["/a"] = .init(small, script: [Answer { $0.latency = 3600 }, .normal])
      server["/b"] = .init(small)
      let list = ["/a", "/b"].map { server.url($0) + "\n" }.joined()
      expect(try await sandbox.dray(["add", "-i", "-"], input: list), exits: 0)
      let run = try sandbox.start(["run"])
      try await run.wait(for: "the other file") { !server.requests("/a").isEmpty && sandbox.names() == ["b"] }
      expect(try await sandbox.dray("set", "1", "between=\(Self.closed)"), exits: 0)
      try await run.wait(for: "the stop", every: 0.1) {
        try await sandbox.jobs().contains { $0.id == 1 && $0.state == "queued" }
      }
      expect(try await sandbox.dray("set", "1", "between=off"), exits: 0)
      expect(try await run.finish(), exits: 0)
      sandbox.expectFiles(["a": small.content, "b": small.content])
      #expect(server.requests("/a").count == 2)
    }
  }

  @Test("a job is not started outside its window; the run transfers others, and waits for it")
  func notStarted() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      for name in ["a", "b"] { server["/" + name] = .init(Self.version) }
      expect(try await sandbox.dray("add", "--between", Self.closed, server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", "--between", "00:00-24:00", server.url("/b")), exits: 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "waits until ")
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: Self.closed)
      let run = try sandbox.start(["run"])
      try await run.wait(for: "the other job") { try await sandbox.jobs().contains { $0.state == "complete" } }
      #expect(server.requests.map(\.path) == ["/b"])
      // `dray resume` does not override the window.
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      #expect(try await sandbox.jobs().first?.state == "queued")
      expect(try await sandbox.dray("set", "1", "between=off"), exits: 0)
      expect(try await run.finish(), exits: 0)
      #expect(sandbox.names() == ["a", "b"])
    }
  }

  @Test("a run outside its window starts nothing, and says when it will; dray limit opens it")
  func ofARun() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let run = try sandbox.start(["run", "--between", Self.closed])
      try await run.wait(for: "its word") { run.errors.contains("outside the window: transfers at ") }
      #expect(sandbox.server.requests.isEmpty)
      expect(try await sandbox.dray("limit", "--window", "off"), exits: 0)
      expect(try await run.finish(), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("what is no window is refused", arguments: ["night", "01:00", "01:00-01:00", ""])
  func bad(text: String) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", "--between", text, sandbox.server.url("/f")), exits: 2, saying: "between")
      expect(try await sandbox.dray("run", "--between", text), exits: 2, saying: "--between")
      expect(try await sandbox.dray("limit", "--window", text), exits: 2, saying: "--window")
      expect(
        try await sandbox.dray("get", "-o", "-", "--between", "Sat", sandbox.server.url("/f")), exits: 2,
        saying: "--between")
    }
  }
}
