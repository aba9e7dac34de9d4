// What a job waits for, in words.

internal import DrayKit
internal import DrayStore
internal import Threads

enum JobWait {
  /// `waits for 3, 4`, `starts 23:00`, `until 12:05: …`, `retry at 12:05`; nil if it only waits for its turn. A
  /// finished job that asked in spite of a hold says so until the hold would have ended.
  static func text(_ facts: JobSummary, now: Double) -> String? {
    if facts.state == .complete, facts.passText != nil, let hold = facts.passedHold, hold.isInForce(at: now) {
      return "asked despite the hold \(HoldText.text(hold, now: now))"
    }
    if facts.state == .interrupted, let time = facts.notBefore, time > now {
      return "not before \(TimeStamp.moment(time, now: now))"
    }
    guard facts.state == .queued || facts.state == .paused else { return nil }
    if !facts.waitsFor.isEmpty { return "waits for \(names(facts.waitsFor))" }
    if let time = facts.startAt, time > now { return "starts \(TimeStamp.moment(time, now: now))" }
    if facts.state == .queued, facts.holdText != nil, let hold = facts.hold, hold.isInForce(at: now) {
      return HoldText.text(hold, now: now)
    }
    if let time = facts.notBefore, time > now { return "retry at \(TimeStamp.moment(time, now: now))" }
    return nil
  }

  static func names(_ ids: [JobID]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }

  /// What is said of jobs that a `get` queued and that do not start at once; of the first of them only, as there may be
  /// 100,000.
  static func lines(_ ids: [JobID], _ store: any JobReading) async throws(Failure) -> [String] {
    var lines: [String] = []
    let now = WallClock.now()
    for job in try await store.jobs(ids: Array(ids.prefix(20))) {
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
      }
    }
    return lines
  }
}
