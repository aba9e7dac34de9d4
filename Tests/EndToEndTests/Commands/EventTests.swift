// `--progress json`: one object a line on standard output, in the order of the events.

import FaultServer
import Foundation
import Testing

@Suite("Events")
struct EventTests {
  struct Event {
    let name: String
    let fields: [String: Any]
  }

  private func events(_ finished: Finished) throws -> [Event] {
    try finished.output.split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let fields = try #require(json as? [String: Any], "\(line)")
      #expect(fields["time"] != nil && fields["id"] is Int, "\(line)")
      return Event(name: try #require(fields["event"] as? String), fields: fields)
    }
  }

  /// Expects events of these `names` in this order, with any others between them.
  private func expectOrder(_ names: [String], in events: [Event], _ finished: Finished) {
    var rest = events.map(\.name)[...]
    for name in names {
      guard let index = rest.firstIndex(of: name) else {
        Issue.record("no \(name) where one was expected: \(finished)")
        return
      }
      rest = rest[(index + 1)...]
    }
  }

  @Test("added, started, response, progress, complete")
  func plain() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let version = Version.named("v1", size: 2 << 20)
      let gate = Gate()
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 1 << 20)])
      let get = try sandbox.start(["get", "--progress", "json", sandbox.server.url("/f")])
      try await get.wait(for: "progress") { get.output.contains("\"progress\"") }
      gate.open()
      let finished = try await get.finish()
      expect(finished, exits: 0)
      let events = try events(finished)
      expectOrder(["added", "started", "response", "progress", "complete"], in: events, finished)
      #expect(events.last?.name == "complete")
      let progress = events.filter { $0.name == "progress" }
      let received = progress.compactMap { $0.fields["received"] as? Int }
      #expect(received.count == progress.count && received == received.sorted())
      let unsized = progress.filter { $0.fields["size"] as? Int != 2 << 20 || !$0.fields.keys.contains("rate") }
      #expect(unsized.isEmpty)
    }
  }

  @Test("redirected and retrying are reported")
  func redirectedAndRetrying() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: "/g")])
      sandbox.server["/g"] = .init(AnswerCase.version, script: [.status(503), .normal])
      let finished = try await sandbox.dray(
        "get", "--progress", "json", sandbox.server.url("/f"), "--retry-wait", "0.05")
      expect(finished, exits: 0)
      expectOrder(
        ["added", "started", "redirected", "retrying", "redirected", "response", "complete"],
        in: try events(finished), finished)
    }
  }

  @Test("restarted is reported, and the counts start again")
  func restarted() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", "--progress", "json", sandbox.server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      sandbox.server.update("/f") { $0.version = ResumeCase.v2 }
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      let events = try events(finished)
      expectOrder(["started", "restarted", "response", "complete"], in: events, finished)
      let place = try #require(events.firstIndex { $0.name == "restarted" })
      let counts = events[place...].filter { $0.name == "response" || $0.name == "progress" }
        .map { $0.fields["received"] as? Int ?? -1 }
      #expect(counts.first == 0 && counts == counts.sorted(), "\(finished)")
    }
  }

  @Test("interrupted and failed end a job's events")
  func ends() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.cut(after: 300_000), .status(403)])
      let interrupted = try await sandbox.dray(
        "get", "--progress", "json", sandbox.server.url("/f"), "--retry-wait", "0.05")
      expect(interrupted, exits: 6)
      #expect(try events(interrupted).last?.name == "interrupted")
      let failed = try await sandbox.dray("get", "--progress", "json", sandbox.server.url("/missing"))
      expect(failed, exits: 8)
      #expect(try events(failed).last?.name == "failed")
    }
  }

  @Test(
    "--progress none and plain keep standard output free of events", arguments: ["none", "plain", "auto"])
  func others(_ way: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray("get", "--progress", way, sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(!finished.output.contains("{"), "\(finished)")
    }
  }
}
