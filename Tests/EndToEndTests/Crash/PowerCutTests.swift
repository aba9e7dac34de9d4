// Power cuts: the disk's content is sufficient at any instant, because of the order of writes: bytes, checkpoint, mode,
// name, directory, end. The checks notice a broken order.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Power cut", .needs(.loopDevices))
struct PowerCutTests {
  @Test(
    "after a power cut at any call that changes a file, nothing is wrong, and the next run completes it",
    arguments: CrashScenario.power)
  func everyCall(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario, isPowerCut: true).run()
  }

  /// An order that is broken on purpose, and the promise that must be reported as broken.
  struct Broken: Sendable, CustomStringConvertible {
    var rule: String
    var description: String
    var scenario: CrashScenario
    var crash: Crash
    var loss: PowerLoss
  }

  static let broken: [Broken] = [
    Broken(
      rule: "P1", description: "the name before the bytes", scenario: CrashScenario.get("power-small"),
      crash: unsynced("*.part:*/downloads", "renameat2+"), loss: PowerLoss(home: .names, downloads: .names)),
    Broken(
      rule: "P1", description: "the name before the bytes, as --no-sync has it",
      scenario: CrashScenario.get("power-small", ["--no-sync"]), crash: Crash(call: "renameat2", isAfter: true),
      loss: PowerLoss(home: .synced, downloads: .names)),
    Broken(
      rule: "P12", description: "the end before the name", scenario: CrashScenario.get("power-small"),
      crash: unsynced("*/downloads"), loss: PowerLoss(home: .synced, downloads: .synced)),
    Broken(
      rule: "P4", description: "the checkpoint before the bytes",
      scenario: CrashScenario.whole("power-large-x1", connections: 1, rate: 512 << 10, version: CrashScenario.middle),
      crash: unsynced("*.part:*/downloads", "renameat2"), loss: PowerLoss(home: .synced, downloads: .names)),
    Broken(
      rule: "P3", description: "the number of a job before the job", scenario: CrashScenario.add("power-add", count: 1),
      crash: unsynced("*/home*"), loss: PowerLoss(home: .synced, downloads: .synced)),
  ]

  private static func unsynced(_ files: String, _ call: String = "0") -> Crash {
    var crash = Crash(call)
    crash.unsynced = files
    return crash
  }

  @Test("a broken order is noticed, and the promise named", arguments: broken)
  func brokenOrders(_ broken: Broken) async throws {
    _ = try await CrashScenario.emptyStore.value
    let sweep = CrashSweep(broken.scenario, isPowerCut: true)
    var right = broken.crash
    right.unsynced = nil
    if !broken.description.contains("--no-sync") {
      let outcome = await sweep.attempt(right, [broken.loss], against: nil, isHarsh: true)
      #expect(outcome.problems == [], "in the right order")
    }
    // A sync by any other process may write the data whose sync was suppressed. Then there is nothing to notice.
    var problems: [String] = []
    for _ in 0..<4 where !problems.contains(where: { $0.contains(": \(broken.rule) ") }) {
      problems += await sweep.attempt(broken.crash, [broken.loss], against: nil, isHarsh: true).problems
    }
    #expect(problems.contains { $0.contains(": \(broken.rule) ") }, "\(problems)")
  }
}
