// Selects the jobs for a list on a terminal: all unfinished ones, and the newest of the finished ones. The code in this
// file has no effects outside its values.

internal import DrayKit
internal import DrayStore

/// The jobs of a short list. However many jobs are added, it stores only those that it will show.
struct ListCut {
  /// The maximum number of finished jobs that are shown.
  static let newest = 20

  /// One-off jobs that were completed before this time are not shown. The time is in seconds since 1970.
  let horizon: Double
  private var unfinished: [JobSummary] = []
  /// The newest finished jobs; the newest one is the first.
  private var finished: [JobSummary] = []
  /// For each state, the number of jobs that are not shown.
  private(set) var left: [JobState: Int] = [:]

  /// - Parameter keepingHistory: For how many seconds completed one-off jobs are shown; `nil` means without a limit.
  init(keepingHistory: Double?, now: Double) { horizon = keepingHistory.map { now - $0 } ?? -.infinity }

  /// The jobs to show, in no particular order.
  var jobs: [JobSummary] { unfinished + finished }

  mutating func take(_ job: JobSummary) {
    guard job.state.isFinished else { return unfinished.append(job) }
    if job.isOneOff, job.state == .complete, ListCut.end(job) < horizon { return leave(job) }
    if finished.count == ListCut.newest, let oldest = finished.last, !ListCut.isNewer(job, oldest) { return leave(job) }
    finished.insert(job, at: finished.firstIndex { ListCut.isNewer(job, $0) } ?? finished.endIndex)
    if finished.count > ListCut.newest { leave(finished.removeLast()) }
  }

  /// The line below the table that mentions jobs that are not shown; `nil` if all jobs are shown.
  var footer: String? {
    let parts = JobState.allCases.compactMap { state in left[state].map { "\($0) \(state.rawValue)" } }
    return parts.isEmpty ? nil : "and \(parts.joined(separator: ", ")); `dray list --all` shows them"
  }

  private mutating func leave(_ job: JobSummary) { left[job.state, default: 0] += 1 }

  private static func end(_ job: JobSummary) -> Double { job.finishedAt ?? job.addedAt }

  private static func isNewer(_ one: JobSummary, _ other: JobSummary) -> Bool {
    (end(one), one.id) > (end(other), other.id)
  }
}
