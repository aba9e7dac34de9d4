// The crash sweep with a power cut instead of a crash: the program is killed, and data that did not reach the disks is
// lost with it (PowerDisk.swift).

import FaultServer
import Foundation

extension CrashSweep {
  /// Kills the program once, cuts the power, and for each loss mounts the disks, checks, runs again, and checks again.
  func attempt(
    _ crash: Crash, _ losses: [PowerLoss], against reference: CrashReference?, isHarsh: Bool? = nil
  ) async -> CrashOutcome {
    var outcome = CrashOutcome(crash: crash)
    // Three of four on the harsher disk. In a soak the seed selects the disk of each scenario.
    let isHarsh = isHarsh ?? ((crash.at &+ seed) % 4 != 0)
    do {
      try await Sandbox.use { sandbox in
        try await PowerDisks.use(sandbox, isHarsh: isHarsh) { disks in
          var dice = Dice(seed: seed &+ crash.at &* 1_000_003)
          try await scenario.prepare(sandbox, &dice)
          try await disks.settle()
          let (finished, record) = try await sandbox.dray(
            scenario.command(sandbox), until: crash, seconds: scenario.seconds)
          outcome.record = record
          if crash.call != nil, record.call.isEmpty { outcome.problems.append("there was no call \(crash)") }
          try await disks.cut()
          scenario.between(sandbox, &dice)
          for loss in losses {
            try await disks.restore(loss)
            var check = CrashCheck(scenario, sandbox, reference, isPowerCut: true)
            try await look(&check, finished)
            outcome.problems += check.problems.map { "\(loss)\(isHarsh ? ", harsh" : ""): \($0)" }
          }
        }
      }
    } catch {
      outcome.problems.append("\(error)")
    }
    return outcome
  }

  private func look(_ check: inout CrashCheck, _ finished: Finished) async throws {
    try await check.afterCrash(finished)
    for arguments in scenario.again(check.sandbox) {
      let again = try await check.sandbox.dray(arguments, seconds: scenario.seconds)
      check.note(scenario.end.exits.contains(again.status ?? -1), "running again: \(again)")
    }
    _ = try await check.atEnd()
  }
}
