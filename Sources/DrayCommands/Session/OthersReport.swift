// Says once that a run waits for other runners.

internal import DrayKit

/// The messages on jobs that other runners have.
struct OthersReport {
  /// The time at which the run began to wait for other runners' leases, by the monotonic clock.
  private var since: Double?
  /// The runners that messages about leases have named.
  private var told: Set<String> = []
  private var isSaid = false

  /// Seconds after which a run reports that it waits for leases. A live runner usually reports its progress earlier.
  static let patience = 3.0

  /// Returns the message to print now; `nil` if there is none, or if it was printed already.
  /// - Parameter now: The time of the monotonic clock, in seconds.
  mutating func words(_ snapshot: RunnerSnapshot, now: Double) -> String? {
    guard snapshot.elsewhere > 0, snapshot.active.isEmpty else { return nil }
    if let wait = snapshot.others {
      let began = since ?? now
      since = began
      guard now - began > OthersReport.patience, !told.isSuperset(of: wait.names) else { return nil }
      told.formUnion(wait.names)
      return OthersReport.text(wait)
    }
    guard !isSaid, snapshot.isNamed, snapshot.queued == 0 else { return nil }
    isSaid = true
    return snapshot.elsewhere == 1
      ? "another dray is already fetching this; waiting for it"
      : "another dray is already fetching \(snapshot.elsewhere) of these; waiting for them"
  }

  private static let mostNames = 3

  /// Returns the runners that a run waits for, and the maximum time.
  static func text(_ wait: OthersWait) -> String {
    var names = wait.names.prefix(mostNames).map(TextSafety.escaped)
    let isOne = wait.names.count == 1
    if wait.names.count > mostNames { names.append("\(wait.names.count - mostNames) more") }
    let last = names.popLast() ?? ""
    let whose = names.isEmpty ? last : "\(names.joined(separator: ", ")) and \(last)"
    let jobs = "\(wait.jobs == 1 ? "a job" : "\(wait.jobs) jobs") of \(isOne ? "runner" : "runners") \(whose)"
    return wait.seconds > 0
      ? "waiting up to \(Int(wait.seconds.rounded(.up))) s for \(jobs), which \(isOne ? "does" : "do") not answer"
      : "waiting for \(jobs), whose \(isOne ? "lease is" : "leases are") over"
  }
}
