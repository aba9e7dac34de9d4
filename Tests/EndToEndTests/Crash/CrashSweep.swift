// Tries a scenario at call after call, several at once, and reports how to repeat each failure.

import FaultServer
import Foundation
import TestSupport
import Testing

/// The outcome of one crash.
struct CrashOutcome: Sendable {
  var crash: Crash
  var problems: [String] = []
  var record: CrashRecord?
  var reference = CrashReference()
}

/// All the crashes of one scenario.
struct CrashSweep: Sendable {
  let scenario: CrashScenario
  let seed: UInt64
  /// Whether the power is cut, rather than only the program killed.
  let isPowerCut: Bool

  /// Crashes tried at once; the slots limit those of all tests.
  private static let width = 4
  /// Failures reported in full.
  private static let told = 5
  /// Crashes of a large scenario in a soak.
  private static let soakSample = 500

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
  /// Whether this is a soak (`make soak`).
  static var isSoak: Bool { TestSeed.isSoak }

  /// Creates the sweep of `scenario`; ``TestSeed`` selects the crashes.
  init(_ scenario: CrashScenario, isPowerCut: Bool = false) {
    self.scenario = scenario
    self.isPowerCut = isPowerCut
    seed = TestSeed.value("DRAY_CRASH_SEED")
  }

  /// Runs the sweep, and records an issue for each crash with a finding.
  func run() async throws {
    if let only = Self.environment["DRAY_CRASH_CASE"], only.prefix(while: { $0 != ":" }) != scenario.name { return }
    let begin = ContinuousClock.now
    // Before any slot is taken: making the store takes one.
    _ = try await CrashScenario.emptyStore.value
    if isPowerCut { _ = await PowerDisk.template.value }
    let whole = await attempt(Crash(), against: nil)
    guard whole.problems.isEmpty, let calls = whole.record?.count else { return tell(whole) }
    let crashes = self.crashes(of: calls)
    var failed: [CrashOutcome] = []
    await withTaskGroup(of: CrashOutcome.self) { group in
      var left = crashes.makeIterator()
      func begin() {
        guard let crash = left.next() else { return }
        group.addTask {
          isPowerCut
            ? await attempt(crash, PowerLoss.some(after: crash), against: whole.reference)
            : await attempt(crash, against: whole.reference)
        }
      }
      for _ in 0..<Self.width { begin() }
      for await outcome in group {
        if !outcome.problems.isEmpty { failed.append(outcome) }
        begin()
      }
    }
    for outcome in failed.prefix(Self.told) { tell(outcome) }
    if failed.count > Self.told {
      let rest = failed.dropFirst(Self.told).map { "\($0.crash)" }.joined(separator: " ")
      Issue.record("\(scenario.name): \(failed.count) of \(crashes.count) crashes, also \(rest)")
    }
    let seconds = (ContinuousClock.now - begin).components.seconds
    print("crash sweep: \(scenario.name): \(crashes.count) crashes at \(calls) calls, seed \(seed), \(seconds) s")
  }

  private func tell(_ outcome: CrashOutcome) {
    let place = outcome.record.map { "\($0.call) \($0.path)" } ?? ""
    Issue.record(
      """
      \(scenario.name), seed \(seed), killed at call \(outcome.crash): \(place)
      \(outcome.problems.joined(separator: "\n"))
      again: DRAY_CRASH_CASE=\(scenario.name):\(outcome.crash) DRAY_CRASH_SEED=\(seed) swift test --filter \(isPowerCut ? "PowerCutTests" : "CrashTests")
      """)
  }

  // MARK: Which

  /// The crashes to try for `calls` calls.
  func crashes(of calls: UInt64) -> [Crash] {
    let words = Self.environment["DRAY_CRASH_CASE"]?.split(separator: ":", maxSplits: 1) ?? []
    if words.count > 1 { return [Crash(String(words[1]))] }
    return scenario.named + drawn(of: calls)
  }

  private func drawn(of calls: UInt64) -> [Crash] {
    // In a soak, small scenarios are tried at every call.
    let count = Self.isSoak ? Self.soakSample : scenario.sample
    let all = (1...max(calls, 1)).flatMap { [Crash(at: $0), Crash(at: $0, isTorn: true)] }
    guard count < all.count else { return all }
    // One from each of as many stretches, so that they are spread over the whole run.
    var dice = Dice(seed: seed)
    return (0..<count).map { index in
      all[Int.random(in: all.count * index / count..<all.count * (index + 1) / count, using: &dice)]
    }
  }

  // MARK: One

  /// Kills the program once, checks, runs it again, and checks again.
  func attempt(_ crash: Crash, against reference: CrashReference?) async -> CrashOutcome {
    var outcome = CrashOutcome(crash: crash)
    do {
      try await Sandbox.use { sandbox in
        var dice = Dice(seed: seed &+ crash.at &* 1_000_003)
        try await scenario.prepare(sandbox, &dice)
        let (finished, record) = try await sandbox.dray(
          scenario.command(sandbox), until: crash, seconds: scenario.seconds)
        outcome.record = record
        if crash.call != nil, record.call.isEmpty { outcome.problems.append("there was no call \(crash)") }
        var check = CrashCheck(scenario, sandbox, reference)
        try await check.afterCrash(finished)
        scenario.between(sandbox, &dice)
        for arguments in scenario.again(sandbox) {
          let again = try await sandbox.dray(arguments, seconds: scenario.seconds)
          check.note(scenario.end.exits.contains(again.status ?? -1), "running again: \(again)")
        }
        outcome.reference = try await check.atEnd()
        outcome.problems += check.problems
      }
    } catch {
      outcome.problems.append("\(error)")
    }
    return outcome
  }
}
