// Rates that change while jobs run, set from another process.

import FaultServer
import Foundation
import Testing

@Suite("Limit")
struct LimitTests {
  static let version = Version.named("v1", size: 4 << 20)

  @Test("dray limit slows a running transfer, and full speed returns at once when the limit is off")
  func whileRunning() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("limit", "20k"), exits: 0, saying: "20.0 KiB/s")
      expect(try await sandbox.dray("limit"), exits: 0, saying: "dray limit 20k")
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      // At this rate it would take minutes.
      #expect(try await sandbox.onlyJob().received < 2 << 20)
      expect(try await sandbox.dray("limit", "off"), exits: 0, saying: "no limit")
      expect(try await get.finish(), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
      expect(try await sandbox.dray("limit", "auto"), exits: 0, saying: "auto")
    }
  }

  @Test("a run under a limit that was set before it names the limit")
  func namedByARun() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("limit", "2M"), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0, saying: "`dray limit 2M` limits all jobs together")
    }
  }

  @Test("a timetable with one entry applies all day, for a run and for dray limit; the latter takes precedence")
  func timetable() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = try sandbox.start(["get", "--max-overall-rate", "00:00,10k 12:00,10k", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      #expect(try await sandbox.onlyJob().received < 2 << 20)
      expect(try await sandbox.dray("limit", "00:00,off", "Mon-12:00,off"), exits: 0, saying: "no limit")
      expect(try await get.finish(), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("dray limit --job reaches one running job")
  func oneJob() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = try sandbox.start(["get", "--limit-rate", "10k", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      expect(try await sandbox.dray("limit", "--job", "1"), exits: 0, saying: "10.0 KiB/s")
      expect(try await sandbox.dray("limit", "--job", "1", "off"), exits: 0)
      expect(try await get.finish(), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("dray limit --jobs reaches a run: more jobs start at once, and a lower limit stops none")
  func jobs() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      for name in 1...4 { sandbox.server["/\(name)"] = .init(Self.version, script: [.held(by: gate, after: 1000)]) }
      expect(try await sandbox.dray("limit", "--jobs", "1"), exits: 0, saying: "1 at once")
      expect(try await sandbox.dray("limit"), exits: 0, saying: "dray limit --jobs 1")
      expect(try await sandbox.dray(["add"] + (1...4).map { sandbox.server.url("/\($0)") }), exits: 0)
      let run = try sandbox.start(["run", "-j", "4"])
      try await run.wait(for: "the first") { gate.arrivals == 1 }
      #expect(try await sandbox.jobs().map(\.state) == ["active", "queued", "queued", "queued"])
      expect(try await sandbox.dray("limit", "--jobs", "3"), exits: 0)
      try await run.wait(for: "three") { gate.arrivals == 3 }
      expect(try await sandbox.dray("limit", "--jobs", "1"), exits: 0)
      #expect(try await sandbox.jobs().map(\.state) == ["active", "active", "active", "queued"])
      expect(try await sandbox.dray("limit", "--jobs", "auto"), exits: 0, saying: "its own")
      try await run.wait(for: "all") { gate.arrivals == 4 }
      gate.open()
      expect(try await run.finish(), exits: 0)
    }
  }

  @Test("an invalid number of jobs is refused", arguments: ["0", "many", "1001", "-1"])
  func badJobs(text: String) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("limit", "--jobs=\(text)"), exits: 2, saying: "--jobs")
      expect(try await sandbox.dray("limit", "--jobs", "2", "--job", "1"), exits: 2)
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  @Test("jobs get what their limits allow, in proportion, and even parts of a limit that they share")
  func proportions() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let large = Version.named("large", size: 64 << 20)
      let (server, rates) = (sandbox.server, ["100k", "200k", "1G", "1G", "1G"])
      for (index, rate) in rates.enumerated() {
        server["/\(index)"] = .init(large)
        expect(try await sandbox.dray("add", "--limit-rate", rate, server.url("/\(index)")), exits: 0)
      }
      let run = try sandbox.start(["run", "--max-overall-rate", "1200k"])
      var before: [Int64] = []
      // Wait until all are active, which takes the slowest more than five seconds.
      try await run.wait(for: "512 KiB of each", seconds: 120, every: 0.5) {
        before = try await sandbox.jobs().map(\.received)
        return before.allSatisfy { $0 >= 512 << 10 }
      }
      // Long enough that a report which lags by a checkpoint does not matter.
      try await run.wait(for: "thirty seconds' worth", seconds: 180, every: 0.5) {
        try await sandbox.jobs().map(\.received).reduce(0, +) - before.reduce(0, +) > 30 * 1200 << 10
      }
      run.send(SIGINT)
      expect(try await run.finish(), exits: 130)
      // Now the counts are exact.
      let received = zip(try await sandbox.jobs().map(\.received), before).map { $0 - $1 }
      // A third of 900 for each job without a lower limit.
      for (job, share) in zip(received, [100.0, 200, 300, 300, 300]) {
        let ratio = Double(job) / Double(received.reduce(0, +)) / (share / 1200)
        #expect((0.7...1.4).contains(ratio), "\(received)")
      }
    }
  }

  @Test("bad limits are refused", arguments: ["0", "fast", "08:00,", "25:00,1M", "08:00,1k 08:00,2k"])
  func bad(text: String) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("limit", text), exits: 2)
      expect(try await sandbox.dray("run", "--max-overall-rate", text), exits: 2, saying: "--max-overall-rate")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }
}
