// Says once that a run waits for other runners.

internal import DrayKit

/// What a run says about the jobs that other runners have.
struct OthersReport {
  /// When the run began to wait for other runners' leases, by the monotonic clock.
  private var since: Double?
  private var isSaid = false

  /// Seconds after which a run says that it waits for leases. Runners that live mostly show it earlier.
  static let patience = 3.0

  /// Returns what to say now; `nil` for nothing, and once it was said.
  /// - Parameter now: The time of the monotonic clock, in seconds.
  mutating func words(_ snapshot: RunnerSnapshot, now: Double) -> String? {
    guard snapshot.elsewhere > 0, snapshot.active.isEmpty, !isSaid else { return nil }
    let count = snapshot.elsewhere
    if snapshot.isWaitingForOthers {
      let began = since ?? now
      since = began
      guard now - began > OthersReport.patience else { return nil }
      isSaid = true
      let jobs = count == 1 ? "a job" : "\(count) jobs"
      return "another runner has \(jobs); waiting until it shows that it lives, or its lease ends"
    }
    guard snapshot.isNamed, snapshot.queued == 0 else { return nil }
    isSaid = true
    return count == 1
      ? "another dray is already fetching this; waiting for it"
      : "another dray is already fetching \(count) of these; waiting for them"
  }
}
