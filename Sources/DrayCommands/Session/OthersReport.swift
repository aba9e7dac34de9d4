// Tells the user once that a run waits for other runners.

internal import DrayKit

/// The messages about jobs that other runners transfer.
struct OthersReport {
  /// The time at which the run began to wait for the leases of other runners, on the monotonic clock.
  private var since: Double?
  /// The runners that earlier messages about leases have named.
  private var told: Set<String> = []
  private var isSaid = false

  /// The number of seconds after which a run tells the user that it waits for leases. A runner that is alive usually
  /// reports its progress before that.
  static let patience = 3.0

  /// Returns the message to print now; `nil` if there is none, or if it was already printed.
  /// - Parameter now: The time on the monotonic clock in seconds.
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

  /// Returns a text with the runners for which a run waits, and the maximum duration of the wait.
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
