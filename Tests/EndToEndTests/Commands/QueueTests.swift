// The queue from the command line: add, run, list, show, pause, resume, retry, remove, clean.

import FaultServer
import Foundation
import Testing

@Suite("Queue")
struct QueueTests {
  static let version = AnswerCase.version

  @Test("`add` prints the ids and nothing else, and transfers nothing")
  func add() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let finished = try await sandbox.dray("add", server.url("/a"), server.url("/b"))
      expect(finished, exits: 0)
      let ids = finished.output.split(separator: "\n").compactMap { Int($0) }
      #expect(ids.count == 2 && finished.output.split(separator: "\n").count == 2)
      let jobs = try await sandbox.jobs()
      #expect(Set(jobs.map(\.id)) == Set(ids) && jobs.allSatisfy { $0.state == "queued" })
      #expect(server.requests.isEmpty)
      sandbox.expectNoFiles()
    }
  }

  @Test("`list --json` has the fields of the contract, with the right types")
  func listFields() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      _ = try await sandbox.dray("get", sandbox.server.url("/f"), sandbox.server.url("/missing"))
      expect(try await sandbox.dray("add", sandbox.server.url("/later")), exits: 0)
      let finished = try await sandbox.dray("list", "--json")
      let json = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
      let objects = try #require(json as? [[String: Any]], "\(finished)")
      #expect(objects.count == 3)
      let fields: Set<String> = [
        "id", "uuid", "url", "finalURL", "state", "target", "partFile", "received", "size", "rate",
        "runner", "priority",
        "addedAt", "finishedAt", "attempts", "digest", "error",
      ]
      for object in objects {
        #expect(fields.subtracting(object.keys).isEmpty, "\(object)")
        #expect(UUID(uuidString: object["uuid"] as? String ?? "") != nil)
      }
      let states = objects.compactMap { $0["state"] as? String }
      #expect(Set(states) == ["complete", "failed", "queued"])
      let byState = Dictionary(zip(states, objects), uniquingKeysWith: { first, _ in first })
      #expect(byState["complete"]?["size"] as? Int == Int(Self.version.content.size))
      #expect(byState["complete"]?["received"] as? Int == Int(Self.version.content.size))
      #expect(byState["complete"]?["partFile"] is NSNull)
      #expect(byState["complete"]?["target"] as? String == sandbox.path("f"))
      #expect(byState["complete"]?["error"] is NSNull)
      #expect(byState["queued"]?["finishedAt"] is NSNull)
      #expect(byState["queued"]?["size"] is NSNull)
      let error = byState["failed"]?["error"] as? [String: Any]
      #expect(error?["httpStatus"] as? Int == 404 && error?["message"] is String && error?["code"] != nil)
    }
  }

  @Test("`list --state` filters, and an empty store is an empty list")
  func listFilters() async throws {
    try await Sandbox.use { sandbox in
      let empty = try await sandbox.dray("list", "--json")
      expect(empty, exits: 0)
      #expect(try JSONDecoder().decode([ListedJob].self, from: Data(empty.output.utf8)).isEmpty)
      expect(try await sandbox.dray("list"), exits: 0)
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/g")), exits: 0)
      for (state, path) in [("complete", "/f"), ("queued", "/g")] {
        let listed = try await sandbox.dray("list", "--json", "--state", state)
        let jobs = try JSONDecoder().decode([ListedJob].self, from: Data(listed.output.utf8))
        #expect(jobs.count == 1 && jobs.allSatisfy { $0.url.hasSuffix(path) }, "\(listed)")
      }
    }
  }

  @Test("`show` prints request, answer and validators")
  func show() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      let shown = try await sandbox.dray("show", "1")
      expect(shown, exits: 0, saying: "v1")
      #expect(
        shown.output.contains(sandbox.server.url("/f")) && shown.output.contains("200000")
          || shown.output.contains("195"))
      let json = try await sandbox.dray("show", "1", "--json")
      expect(json, exits: 0)
      #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any], "\(json)")
    }
  }

  @Test("`run` takes the jobs by priority, then by age")
  func priority() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for (name, priority) in [("low", "-1"), ("first", "0"), ("second", "0"), ("high", "5")] {
        server["/" + name] = .init(Self.version)
        expect(try await sandbox.dray("add", "--priority=\(priority)", server.url("/" + name)), exits: 0)
      }
      expect(try await sandbox.dray("run", "-j", "1"), exits: 0)
      #expect(server.requests.map(\.path) == ["/high", "/first", "/second", "/low"])
    }
  }

  @Test("P11 a missing file whose name now belongs to another job is not ignored")
  func nameOfAnotherJob() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for path in ["/a", "/b"] { server[path] = .init(AnswerCase.version) }
      let get = ["get", "-o", "x", server.url("/a")]
      expect(try await sandbox.dray(get), exits: 0)
      try FileManager.default.removeItem(atPath: sandbox.path("x"))
      expect(try await sandbox.dray("add", "-o", "x", server.url("/b")), exits: 0)
      expect(try await sandbox.dray(get), exits: 3, saying: "job 1, which had fetched it, cannot fetch it again")
      sandbox.expectNoFiles()
      #expect(try await sandbox.jobs().map(\.state) == ["complete", "queued"])
    }
  }

  @Test("pause reaches a job that another process is running; resume continues it there")
  func pauseAndResume() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let version = Version.named("v1", size: 8 << 20)
      let gate = Gate()
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 1 << 20), .normal])
      let runner = try sandbox.start(["run", "--wait"])
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      try await runner.wait(for: "a MiB", every: 0.1) { try await sandbox.onlyJob().received >= 1 << 20 }
      let id = try await sandbox.onlyJob().id
      expect(try await sandbox.dray("pause", "\(id)"), exits: 0)
      try await sandbox.waitForState("paused")
      let received = try await sandbox.onlyJob().received
      gate.open()
      // Time for the rest to arrive, if any process still received it.
      try await Task.sleep(for: .seconds(0.5))
      #expect(try await sandbox.onlyJob().received == received, "bytes still come")
      #expect(sandbox.server.bytesSent("/f") < version.content.size && sandbox.server.requests("/f").count == 1)
      sandbox.expectOnlyPartFile()
      expect(try await sandbox.dray("resume", "\(id)"), exits: 0)
      try await sandbox.waitForState("complete")
      #expect(sandbox.server.requests("/f").last?["Range"] != nil)
      runner.send(SIGINT)
      _ = try await runner.finish()
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("remove reaches a job that another process is running, and removes its part file")
  func removeRunning() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      let runner = try sandbox.start(["get", sandbox.server.url("/f")])
      try await runner.wait(for: "the gate") { gate.arrivals > 0 }
      let id = try await sandbox.onlyJob().id
      expect(try await sandbox.dray("remove", "\(id)"), exits: 0)
      _ = try await runner.finish()
      #expect(try await sandbox.jobs().isEmpty)
      sandbox.expectNoFiles()
    }
  }

  @Test("a paused job is left alone by `run`, and `resume --all` frees it")
  func pausedIsLeftAlone() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("pause", "--all"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(sandbox.server.requests.isEmpty)
      #expect(try await sandbox.onlyJob().state == "paused")
      expect(try await sandbox.dray("resume", "--all"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("retry starts a failed job over")
  func retry() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [.status(404), .normal])
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 8)
      let run = try await sandbox.dray("run")
      #expect(sandbox.server.requests.count == 1, "a failed job is not run: \(run)")
      let id = try await sandbox.onlyJob().id
      expect(try await sandbox.dray("retry", "\(id)"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("remove of an interrupted job removes its part file, and of a complete job leaves the file")
  func remove() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let server = sandbox.server
      server["/half"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      _ = try await sandbox.runHalf(
        ["get", server.url("/half")], gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", server.url("/f")), exits: 0)
      let removed = try await sandbox.dray("remove", "--all")
      expect(removed, exits: 0, saying: "2 jobs removed; ")
      #expect(removed.text.contains(" of unfinished downloads deleted"), "\(removed)")
      #expect(try await sandbox.jobs().isEmpty)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("clean forgets finished jobs and removes stray part files, and nothing else")
  func clean() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let server = sandbox.server
      server["/half"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      let get = ["get", server.url("/half")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      server["/f"] = .init(Self.version)
      _ = try await sandbox.dray("get", server.url("/f"), server.url("/missing"))
      let stray = ".\(UUID().uuidString).part"
      try sandbox.write("stray", to: stray)
      try sandbox.age(stray)
      try sandbox.write("not ours", to: ".mine.part")
      let cleaned = try await sandbox.dray("clean", sandbox.downloads)
      expect(cleaned, exits: 0)
      let jobs = try await sandbox.jobs()
      #expect(jobs.map(\.state) == ["interrupted"], "\(cleaned)")
      #expect(!sandbox.names().contains(stray), "\(cleaned)")
      #expect(sandbox.names().isSuperset(of: ["f", ".mine.part"]), "\(cleaned)")
      expect(try await sandbox.dray(get), exits: 0)
      #expect(sandbox.names() == ["f", "half", ".mine.part"])
    }
  }

  @Test("clean DIR finds part files that no job owns, after the store was lost")
  func cleanAfterLoss() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      _ = try await sandbox.runHalf(
        ["get", sandbox.server.url("/f")], gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      try FileManager.default.removeItem(atPath: sandbox.home)
      expect(try await sandbox.dray("clean", sandbox.downloads), exits: 0)
      sandbox.expectNoFiles()
    }
  }
}
