// Large numbers: jobs against a server that misbehaves at random, programs that add at once. The gate has small
// numbers, `make soak` the full ones with a different seed each time; DRAY_CRASH_SEED repeats one.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Soak")
struct SoakTests {
  /// The number of jobs.
  private static let jobs = CrashSweep.isSoak ? 100_000 : 1500
  /// Jobs transferred at once.
  private static let atOnce = 16
  /// Programs that add a job, and the number that runs at once.
  private static let (adders, addersAtOnce) = CrashSweep.isSoak ? (10_000, 400) : (50, 50)

  private static let seed = TestSeed.value("DRAY_CRASH_SEED")

  @Test("against a server that misbehaves at random every job ends as it must, and nothing grows")
  func drains() async throws {
    try await Sandbox.use { sandbox in
      let fates = (0..<Self.jobs).map { Fate($0, seed: Self.seed) }
      for (index, fate) in fates.enumerated() { sandbox.server["/\(index)"] = fate.resource }
      let list = try sandbox.write(
        fates.indices.map { sandbox.server.url("/\($0)\n") }.joined(), to: "../streams/list")
      let add = ["add", "-i", list, "--retries", "3", "--retry-wait", "0.1"]
      expect(try await sandbox.dray(add, seconds: 600), exits: 0)
      let began = ContinuousClock.now
      let runner = try sandbox.start(["run", "-j", "\(Self.atOnce)", "-q", "--progress", "none"])
      // Counting the requests of a large soak takes a while, during which the server is blocked.
      let (finished, looks) = try await runner.finish(
        seconds: CrashSweep.isSoak ? 7200 : 900, lookingEvery: CrashSweep.isSoak ? 0.5 : 0.05
      ) { sandbox.server.requests.count }
      let seconds = (ContinuousClock.now - began).components.seconds
      expect(finished, exits: 4)

      // The second half of the requests uses at most a tenth more memory than the first. Descriptors are compared with
      // libcurl's cache, four connections for each transfer, and as many files: one leaked in ten jobs is too many.
      let half = sandbox.server.requests.count / 2
      let (early, late) = (looks.filter { $0.progress < half }, looks.filter { $0.progress >= half })
      let (first, second) = (Footprint.peak(early.map { $0.footprint }), Footprint.peak(late.map { $0.footprint }))
      print("soak: \(Self.jobs) jobs, seed \(Self.seed), \(seconds) s: \(first), then \(second)")
      #expect(looks.count > 10 && !early.isEmpty && !late.isEmpty)
      #expect(second.descriptors <= max(first.descriptors, 8 * Self.atOnce))
      #expect(second.memory <= first.memory * 11 / 10 + 1 << 20)

      let found = try await stored(sandbox)
      #expect(found.count == fates.count)
      var targets: Set<String> = []
      var wrong: [String] = []
      for (index, fate) in fates.enumerated() {
        let state = found["/\(index)"] ?? "not there"
        if state == "failed", fate.mayFail { continue }
        if state != fate.state { wrong.append("/\(index), \(fate.name): \(state), not \(fate.state)") }
        guard let content = fate.content else { continue }
        targets.insert("\(index)")
        if let difference = content.difference(fromFileAt: sandbox.path("\(index)")) {
          wrong.append("/\(index), \(fate.name): \(difference)")
        }
      }
      #expect(wrong.isEmpty, "seed \(Self.seed), \(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
      let interrupted = found.values.count { $0 == "interrupted" }
      try await expectOnly(targets, interrupted: interrupted, sandbox)
    }
  }

  /// Only complete jobs have a target, and only interrupted ones a part file; after the jobs are removed, there is none
  /// (P5).
  private func expectOnly(_ targets: Set<String>, interrupted: Int, _ sandbox: Sandbox) async throws {
    let others = sandbox.names().subtracting(targets)
    let parts = others.filter(sandbox.isPartFile)
    #expect(others == parts && parts.count == interrupted, "\(Array(others.prefix(10)))")
    expect(try await sandbox.dray(["remove", "-q", "--all"], seconds: 600), exits: 0)
    #expect(sandbox.names() == targets && sandbox.names(in: sandbox.home + "/runners").isEmpty)
    #expect(try await stored(sandbox).isEmpty)
  }

  /// The state of each job by the path of its URL, read by SQLite itself, which also checks the store.
  private func stored(_ sandbox: Sandbox) async throws -> [String: String] {
    let script = """
      import sqlite3, sys, urllib.parse
      store = sqlite3.connect(sys.argv[1])
      assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
      assert store.execute("PRAGMA foreign_key_check").fetchall() == []
      for url, state in store.execute("SELECT url, state FROM jobs"): print(urllib.parse.urlsplit(url).path, state)
      """
    let read = try await sandbox.tool("python3", ["-c", script, sandbox.home + "/dray.sqlite"], seconds: 600)
    expect(read, exits: 0)
    let pairs = read.output.split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { first, _ in first + " twice" }
  }

  @Test("P3 programs add jobs at once: each accepted job exists, once")
  func addsAtOnce() async throws {
    try await Sandbox.use { sandbox in
      var ids: [Int] = []
      try await withThrowingTaskGroup(of: Finished.self) { group in
        var next = 0
        func begin() {
          guard next < Self.adders else { return }
          let url = sandbox.server.url("/\(next)")
          next += 1
          group.addTask { try await sandbox.dray(["add", url], seconds: 300) }
        }
        for _ in 0..<Self.addersAtOnce { begin() }
        for try await finished in group {
          expect(finished, exits: 0)
          ids += finished.output.split(separator: "\n").compactMap { Int($0) }
          begin()
        }
      }
      #expect(Set(ids).count == Self.adders && ids.count == Self.adders)
      let found = try await stored(sandbox)
      #expect(found.count == Self.adders && found.values.allSatisfy { $0 == "queued" })
      #expect(Set(found.keys) == Set((0..<Self.adders).map { "/\($0)" }))
    }
  }
}
