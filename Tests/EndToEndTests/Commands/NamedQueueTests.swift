// Named queues: directory, jobs at once, rate, quota; paused and resumed while a runner works.

import FaultServer
import Foundation
import Testing

@Suite("Named queues")
struct NamedQueueTests {
  static let version = Version.named("v1", size: 1 << 20)

  /// The queue `films` as JSON.
  private func films(_ sandbox: Sandbox) async throws -> [String: Any] {
    let finished = try await sandbox.dray("queue", "list", "--json", "films")
    let json = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
    return try #require((json as? [[String: Any]])?.first, "\(finished)")
  }

  @Test("a queue has settings and a directory, and its jobs are shown with it")
  func settings() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/a"] = .init(Self.version)
      expect(try await sandbox.dray("queue"), exits: 0, saying: "no named queues")
      expect(
        try await sandbox.dray(
          "queue", "set", "films", "--jobs", "2", "--rate", "100M", "--quota", "10G/day", "--directory", "films"),
        exits: 0, saying: "2 at once")
      expect(try await sandbox.dray("queue", "set", "films", "--jobs", "0"), exits: 2, saying: "--jobs")
      expect(try await sandbox.dray("queue", "set", "films", "--quota", "10G"), exits: 2, saying: "10G/day")
      expect(try await sandbox.dray("queue", "set", "a b"), exits: 2, saying: "not the name of a queue")
      expect(try await sandbox.dray("queue", "pause", "flims"), exits: 2, saying: "flims")
      expect(try await sandbox.dray("add", "--queue", "a,b", server.url("/a")), exits: 2, saying: "--queue")

      expect(try await sandbox.dray("add", "--queue", "films", server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", "--queue", "films", "-d", "other", server.url("/b")), exits: 0)
      expect(try await sandbox.dray("add", server.url("/c")), exits: 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "QUEUE")
      let listed = try await sandbox.dray("list", "--queue", "films", "--json")
      #expect(listed.output.contains(#""queue": "films""#) || listed.output.contains(#""queue":"films""#), "\(listed)")
      #expect(!listed.output.contains("/c"), "\(listed)")
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "films")
      var queue = try await films(sandbox)
      #expect(queue["jobs"] as? Int == 2 && queue["state"] as? String == "open", "\(queue)")
      #expect((queue["counts"] as? [String: Int])?["queued"] == 2, "\(queue)")

      expect(try await sandbox.dray("remove", "2", "3"), exits: 0)
      expect(try await sandbox.dray("run", "-q"), exits: 0)
      #expect(FileManager.default.contents(atPath: sandbox.path("films/a"))?.count == 1 << 20)
      queue = try await films(sandbox)
      #expect((queue["quota"] as? [String: Any])?["used"] as? Int ?? 0 >= 1 << 20, "\(queue)")
      expect(try await sandbox.dray("queue", "remove", "films"), exits: 0)
      queue = try await films(sandbox)
      #expect(queue["jobs"] is NSNull && queue["quota"] is NSNull, "\(queue)")
    }
  }

  @Test("a job changes its queue, and takes it along in an export")
  func changed() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/a")), exits: 0)
      expect(try await sandbox.dray("set", "1", "queue=films"), exits: 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "films")
      expect(try await sandbox.dray("export"), exits: 0, saying: "films")
    }
  }

  @Test("pausing a queue stops its jobs in another process, and no other; they go on when it is resumed")
  func paused() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      let gate = Gate()
      server["/f"] = .init(Self.version, script: [.held(by: gate, after: 1 << 19), .normal])
      server["/g"] = .init(Self.version)
      expect(try await sandbox.dray("add", "--queue", "films", server.url("/f")), exits: 0)
      let runner = try sandbox.start(["run", "--wait"])
      try await runner.wait(for: "the gate") { gate.arrivals > 0 }
      try await runner.wait(for: "some bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      expect(try await sandbox.dray("queue", "pause", "films"), exits: 0, saying: "queue films paused")
      try await runner.wait(for: "the job to stop") { try await sandbox.jobs().first?.state == "queued" }
      let kept = try #require(try await sandbox.jobs().first).received
      #expect(kept > 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "queue films is paused")
      // Another job is not held up, in the same run.
      expect(try await sandbox.dray("add", server.url("/g")), exits: 0)
      try await runner.wait(for: "the other job") { try await sandbox.jobs().last?.state == "complete" }
      #expect(try await sandbox.jobs().first?.state == "queued")
      gate.open()
      expect(try await sandbox.dray("queue", "resume", "films"), exits: 0)
      try await runner.wait(for: "the end of the job") { try await sandbox.jobs().first?.state == "complete" }
      runner.send(SIGINT)
      expect(try await runner.finish(), exits: 130)
      sandbox.expectFiles(["f": Self.version.content, "g": Self.version.content])
    }
  }

  @Test("a run ends when only jobs of paused queues are left")
  func nothingLeft() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/g"] = .init(Self.version)
      expect(try await sandbox.dray("add", "--queue", "films", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/g")), exits: 0)
      expect(try await sandbox.dray("queue", "pause", "films"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      let jobs = try await sandbox.jobs()
      #expect(jobs.map(\.state) == ["queued", "complete"])
    }
  }

  @Test("a queue has so many jobs at once as it allows, and others go on beside it")
  func jobsAtOnce() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      let gate = Gate()
      for path in ["/a", "/b"] {
        server[path] = .init(Self.version, script: [.held(by: gate, after: 1 << 19), .normal])
      }
      server["/g"] = .init(Self.version)
      expect(try await sandbox.dray("queue", "set", "films", "--jobs", "1"), exits: 0)
      expect(try await sandbox.dray("add", "--queue", "films", server.url("/a"), server.url("/b")), exits: 0)
      expect(try await sandbox.dray("add", server.url("/g")), exits: 0)
      let runner = try sandbox.start(["run"])
      try await runner.wait(for: "the gate") { gate.arrivals > 0 }
      try await runner.wait(for: "the other job") { try await sandbox.jobs().last?.state == "complete" }
      let states = try await sandbox.jobs().map(\.state)
      #expect(states == ["active", "queued", "complete"])
      #expect(gate.arrivals == 1)
      gate.open()
      expect(try await runner.finish(), exits: 0)
      sandbox.expectFiles(["a": Self.version.content, "b": Self.version.content, "g": Self.version.content])
    }
  }

  @Test("the rate of a queue reaches what runs")
  func rate() async throws {
    try await Sandbox.use { sandbox in
      let large = Version.named("v1", size: 4 << 20)
      sandbox.server["/f"] = .init(large)
      expect(try await sandbox.dray("queue", "set", "films", "--rate", "10k"), exits: 0)
      let get = try sandbox.start(["get", "--queue", "films", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      // At this rate it would take minutes.
      #expect(try await sandbox.onlyJob().received < 2 << 20)
      expect(try await sandbox.dray("queue", "set", "films", "--rate", "off"), exits: 0)
      expect(try await get.finish(), exits: 0)
      sandbox.expectFiles(["f": large.content])
    }
  }

  @Test("a quota that is used up closes the queue, over runs; other jobs and a new quota go on")
  func quota() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for path in ["/a", "/b", "/c"] { server[path] = .init(Self.version) }
      expect(try await sandbox.dray("queue", "set", "films", "--quota", "500k/month"), exits: 0)
      expect(try await sandbox.dray("add", "--queue", "films", server.url("/a")), exits: 0)
      // The file may be complete before its bytes are counted, or stop in its middle.
      let first = try sandbox.start(["run", "--wait"])
      try await first.wait(for: "the end of the quota") {
        try await films(sandbox)["state"] as? String == "spent"
      }
      expect(try await sandbox.dray("add", "--queue", "films", server.url("/b")), exits: 0)
      expect(try await sandbox.dray("add", server.url("/c")), exits: 0)
      try await first.wait(for: "the free job") { try await sandbox.jobs().last?.state == "complete" }
      let jobs = try await sandbox.jobs()
      #expect(jobs.first { $0.id == 2 }?.state == "queued")
      expect(try await sandbox.dray("list"), exits: 0, saying: "quota used up until")
      expect(try await sandbox.dray("queue", "set", "films", "--quota", "off"), exits: 0)
      try await first.wait(for: "all jobs") { try await sandbox.jobs().allSatisfy { $0.state == "complete" } }
      first.send(SIGINT)
      expect(try await first.finish(), exits: 130)
      sandbox.expectFiles(["a": Self.version.content, "b": Self.version.content, "c": Self.version.content])
    }
  }

  @Test("a queue outside its times starts nothing; when its times end, a transfer stops with its bytes kept")
  func times() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      let gate = Gate()
      server["/f"] = .init(Self.version, script: [.held(by: gate, after: 1 << 19), .normal])
      expect(try await sandbox.dray("queue", "set", "films", "--between", "night"), exits: 2, saying: "--between")
      let get = try sandbox.start(["get", "--queue", "films", server.url("/f")])
      try await get.wait(for: "some bytes", every: 0.1) { try await sandbox.jobs().first?.received ?? 0 > 0 }
      let closed = WindowTests.closed
      expect(
        try await sandbox.dray("queue", "set", "films", "--between", closed), exits: 0, saying: "between \(closed)")
      try await sandbox.waitForState("queued")
      #expect(try await sandbox.onlyJob().received > 0)
      expect(try await sandbox.dray("list"), exits: 0, saying: "queue films is closed until ")
      expect(try await sandbox.dray("queue", "list"), exits: 0, saying: "closed until ")
      let queue = try await films(sandbox)
      #expect(queue["state"] as? String == "closed" && queue["between"] as? String == closed, "\(queue)")
      // The configuration's window is for jobs, not for queues.
      let file = sandbox.downloads + "/config.toml"
      try Data("between = \"00:00-24:00\"\n".utf8).write(to: URL(fileURLWithPath: file))
      expect(
        try await sandbox.dray("queue", "set", "films", "--jobs", "2", "--config", file), exits: 0,
        saying: "between \(closed)")
      try FileManager.default.removeItem(atPath: file)
      gate.open()
      expect(try await sandbox.dray("queue", "set", "films", "--between", "off"), exits: 0)
      let ended = try await get.finish()
      expect(ended, exits: 0, saying: "queue films is closed: continues at ")
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("the API shows and changes queues, and keeps their directories below the roots")
  func api() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let made = try await service.api("PATCH", "/queues/films", #"{"jobs":2,"directory":"films","paused":true}"#)
      #expect(made.status == "200" && made.body["state"] as? String == "paused", "\(made)")
      #expect(made.body["directory"] as? String == sandbox.path("films"), "\(made)")
      let outside = try await service.api("PATCH", "/queues/films", #"{"directory":"/etc"}"#)
      #expect(outside.status == "403", "\(outside)")
      let body = #"{"jobs":[{"url":"\#(sandbox.server.url("/f"))","queue":"films"}]}"#
      #expect(try await service.post(body) == "201")
      let job = try await service.api("GET", "/jobs/1").body
      #expect(job["queue"] as? String == "films" && job["state"] as? String == "queued", "\(job)")
      let all = try await service.api("GET", "/queues").body["queues"] as? [[String: Any]]
      #expect(all?.count == 1 && (all?.first?["counts"] as? [String: Int])?["queued"] == 1, "\(all ?? [])")
      #expect(try await service.api("DELETE", "/queues/films").status == "200")
      #expect(try await service.api("DELETE", "/queues/films").status == "404")
    }
  }
}
