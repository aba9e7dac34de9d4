// The JSON output of the built program, compared with docs/wire/dray.schema.json: from every command with JSON, for
// every state of a job.

import FaultServer
import Foundation
import JSONSchema
import Testing

@Suite("JSON formats")
struct WireTests {
  /// Checks an output, and returns its documents.
  private func documents(_ finished: Finished, _ arguments: [String]) throws -> [JSONValue] {
    let found = WireCheck.documents(arguments, finished.output)
    #expect(!found.isEmpty, "\(finished)")
    return try found.map { try JSONValue(parsing: $0.text) }
  }

  private func names(_ events: [JSONValue]) -> Set<String> { Set(events.compactMap { $0["event"]?.string }) }

  @Test("jobs in each state, from list, show, watch and a hook")
  func states() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let version = Version.named("v1", size: 2 << 20)
      let gate = Gate()
      sandbox.server["/whole"] = .init(AnswerCase.version)
      sandbox.server["/cut"] = .init(version, script: [.cut(after: 1 << 20), .held(by: gate, after: 1 << 19)])
      let hook = sandbox.path("../hook.json")
      // 1 complete, 2 failed, 3 interrupted, 4 paused, 5 queued after it.
      expect(
        try await sandbox.dray(
          "get", "--on-complete", "sh -c 'cat > \(hook)'", "--mirror", sandbox.server.url("/mirror"), "--limit-rate",
          "10M", "-H", "X-Api-Key: k", sandbox.server.url("/whole")), exits: 0)
      expect(try await sandbox.dray("get", sandbox.server.url("/missing")), exits: 8)
      expect(try await sandbox.dray("get", "--retries", "0", sandbox.server.url("/cut")), exits: 4)
      expect(try await sandbox.dray("add", sandbox.server.url("/paused")), exits: 0)
      expect(try await sandbox.dray("pause", "4"), exits: 0)
      expect(
        try await sandbox.dray("add", "--after", "4", "--start-at", "23:00", sandbox.server.url("/queued")), exits: 0)
      expect(try await sandbox.dray("resume", "3"), exits: 0)
      let run = try sandbox.start(["get", sandbox.server.url("/cut")])
      try await waitUntil("the job to be active") {
        try await sandbox.jobs().first { $0.id == 3 }.map { $0.state == "active" } ?? false
      }
      let list = ["list", "--json"]
      let jobs = try #require(try documents(try await sandbox.dray(list), list).first?.elements)
      let found = jobs.map { $0["state"]?.string ?? "?" }
      #expect(found == ["complete", "failed", "active", "paused", "queued"], "\(found)")
      #expect(jobs[2]["partFile"]?.string != nil && jobs[1]["error"]?["httpStatus"] == .number(404))
      for id in 1...5 {
        let show = ["show", "\(id)", "--json"]
        let details = try #require(try documents(try await sandbox.dray(show), show).first)
        #expect(details["id"] == .number(Double(id)))
      }
      gate.open()
      expect(try await run.finish(), exits: 0)
      let described = try String(contentsOfFile: hook, encoding: .utf8)
      #expect(try JSONSchema.wire().problems(JSONValue(parsing: described), as: "job", .closed) == [], "\(described)")
    }
  }

  @Test("events: redirects, retries, an error, a hook, a sent body, and the additional events of watch")
  func events() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: "/g")])
      sandbox.server["/g"] = .init(AnswerCase.version, script: [.status(503), .normal])
      // A watch does not report events from before its start.
      expect(try await sandbox.dray("add", sandbox.server.url("/waits")), exits: 0)
      let watch = try sandbox.start(["watch", "--json"])
      try await watch.wait(for: "the job that was there") { watch.output.contains("\"event\":\"job\"") }
      let get = [
        "get", "--progress", "json", "--retry-wait", "0.05", "--on-complete", "sh -c 'echo done; exit 3'",
        sandbox.server.url("/f"),
      ]
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      let own = names(try documents(finished, get))
      #expect(
        own.isSuperset(of: ["added", "started", "redirected", "retrying", "response", "complete", "hook"]), "\(own)")
      let missing = ["get", "--progress", "json", sandbox.server.url("/missing")]
      let failed = try await sandbox.dray(missing)
      expect(failed, exits: 8)
      #expect(names(try documents(failed, missing)).contains("failed"))
      let again = ["get", "--progress", "json", "--on-conflict", "skip", "-o", "g", sandbox.server.url("/g")]
      expect(try await sandbox.dray(again), exits: 0)
      try await watch.wait(for: "the ends") {
        watch.output.contains("\"complete\"") && watch.output.contains("\"failed\"")
      }
      watch.send(SIGINT)
      let watched = try await watch.finish()
      expect(watched, exits: 130)
      WireCheck.expect(["watch", "--json"], watched.output)
      #expect(names(try documents(watched, ["watch", "--json"])).isSuperset(of: ["added", "complete", "failed"]))
    }
  }

  @Test("heads: a plain one, one after redirects, an error")
  func heads() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: "/g")])
      sandbox.server["/g"] = .init(AnswerCase.version)
      for (path, status) in [("/g", Int32(0)), ("/f", 0), ("/missing", 8)] {
        let info = ["info", "--json", sandbox.server.url(path)]
        let finished = try await sandbox.dray(info)
        expect(finished, exits: status)
        let head = try #require(try documents(finished, info).first)
        #expect(head["status"] == .number(status == 0 ? 200 : 404), "\(finished)")
        #expect(head["redirects"]?.elements?.count == (path == "/f" ? 1 : 0))
      }
    }
  }

  @Test("a document that does not match the schema is refused")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let list = ["list", "--json"]
      let text = try await sandbox.dray(list).output
      func problems(_ text: String) throws -> [String] {
        try JSONSchema.wire().problems(JSONValue(parsing: text), as: "list", .closed)
      }
      #expect(try problems(text) == [])
      let changes = [
        ("\"queued\"", "\"waiting\""), ("\"received\":0", "\"received\":-1"), ("\"size\":null,", ""),
        ("\"attempts\":0", "\"attempts\":0,\"tries\":0"), ("\"after\":[]", "\"after\":null"),
      ]
      for (old, new) in changes {
        #expect(text.contains(old), "\(text)")
        #expect(try problems(text.replacing(old, with: new)) != [], "\(new)")
      }
    }
  }
}
