// Rates that change while jobs run, set from another process.

import FaultServer
import Foundation
import Testing

@Suite("Limit")
struct LimitTests {
  static let version = Version.named("v1", size: 4 << 20)

  @Test("dray limit reaches what runs: it slows down, and goes on at once when the limit is off")
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
      expect(try await get.finish(seconds: 20), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
      expect(try await sandbox.dray("limit", "auto"), exits: 0, saying: "auto")
    }
  }

  @Test("a timetable is one entry for all day, for a run and for dray limit; the latter comes first")
  func timetable() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = try sandbox.start(["get", "--max-overall-rate", "00:00,10k 12:00,10k", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      #expect(try await sandbox.onlyJob().received < 2 << 20)
      expect(try await sandbox.dray("limit", "00:00,off", "Mon-12:00,off"), exits: 0, saying: "no limit")
      expect(try await get.finish(seconds: 20), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("dray limit --job reaches one job that runs")
  func oneJob() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = try sandbox.start(["get", "--limit-rate", "10k", sandbox.server.url("/f")])
      try await get.wait(for: "the first bytes") { try await sandbox.jobs().first?.received ?? 0 > 0 }
      expect(try await sandbox.dray("limit", "--job", "1"), exits: 0, saying: "10.0 KiB/s")
      expect(try await sandbox.dray("limit", "--job", "1", "off"), exits: 0)
      expect(try await get.finish(seconds: 20), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
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
