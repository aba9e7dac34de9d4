// The reason for a job's waiting, in words.

internal import DrayKit
internal import DrayStore
internal import Synchronization
internal import Threads

enum JobWait {
  /// Returns `waits for 3, 4`, `starts 23:00`, `until 12:05: …`, `waits until 22:00` or `retry at 12:05`; `nil` if the
  /// job waits only for its turn. A complete job that was requested despite a hold says so until the hold would have
  /// ended.
  /// - Parameter queues: Why the jobs of closed queues wait (``QueueText/waits(_:now:)``).
  static func text(_ facts: JobSummary, now: Double, queues: [String: String] = [:]) -> String? {
    if facts.state == .complete, facts.passText != nil, let hold = facts.passedHold, hold.isInForce(at: now) {
      return "asked despite the hold \(HoldText.text(hold, now: now))"
    }
    if facts.state == .interrupted, let time = facts.notBefore, time > now {
      return "not before \(TimeStamp.moment(time, now: now))"
    }
    guard facts.state == .queued || facts.state == .paused else { return nil }
    if !facts.waitsFor.isEmpty { return "waits for \(names(facts.waitsFor))" }
    if let time = facts.startAt, time > now { return "starts \(TimeStamp.moment(time, now: now))" }
    if facts.state == .queued, let reason = facts.queue.flatMap({ queues[$0] }) { return reason }
    if facts.state == .queued, facts.holdText != nil, let hold = facts.hold, hold.isInForce(at: now) {
      return HoldText.text(hold, now: now)
    }
    if let text = facts.windowText, let opening = opening(text, now) {
      return "waits until \(TimeStamp.moment(opening, now: now))"
    }
    if let time = facts.notBefore, time > now { return "retry at \(TimeStamp.moment(time, now: now))" }
    return nil
  }

  /// The openings of windows at one time: 100,000 jobs of a list may have the same window.
  private static let openings = Mutex<(now: Double, known: [String: Double?])>((0, [:]))

  /// Returns when a closed window opens; `nil` if it is open.
  private static func opening(_ text: String, _ now: Double) -> Double? {
    openings.withLock { state in
      if state.now != now { state = (now, [:]) }
      if let known = state.known[text] { return known }
      let window = try? TransferWindow.parse(text)
      let isOpen = window?.isOpen(at: now, zone: .current) ?? true
      let opening = isOpen ? nil : window?.opening(at: now, zone: .current)
      state.known[text] = .some(opening)
      return opening
    }
  }

  static func names(_ ids: [JobID]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }

  /// Returns lines on the jobs of a `get` that do not start at once. Only the first jobs are checked, because there may
  /// be 100,000.
  static func lines(_ ids: [JobID], _ manager: DownloadManager) async throws(Failure) -> [String] {
    var lines: [String] = []
    let (store, now) = (manager.jobs, WallClock.now())
    let closed = QueueText.waits(try await manager.namedQueues(), now: now)
    for job in try await store.jobs(ids: Array(ids.prefix(20))) {
      if let reason = job.specification.queue.flatMap({ closed[$0] }) { lines.append("[\(job.id)] waits: \(reason)") }
      for other in try await store.jobs(ids: try await store.prerequisites(of: job.id)) {
        let advice =
          switch other.state {
          case .queued, .interrupted: "; `dray run` transfers it"
          case .paused: "; `dray resume \(other.id)` continues it"
          default: ""
          }
        lines.append("[\(job.id)] waits for job \(other.id), which \(other.state.predicate)\(advice)")
      }
      if let time = job.specification.startAt, time > now {
        lines.append("[\(job.id)] starts \(TimeStamp.moment(time, now: now))")
      } else if let opening = job.specification.window.flatMap({ opening("\($0)", now) }) {
        lines.append("[\(job.id)] waits until \(TimeStamp.moment(opening, now: now))")
      }
    }
    return lines
  }
}
