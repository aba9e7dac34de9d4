// Selects the jobs for a list on a terminal: the unfinished ones, and the newest of the finished ones. Pure.

internal import DrayKit
internal import DrayStore

/// The jobs of a short list. It stores only the jobs that it shows, however many it receives.
struct ListCut {
  /// The maximum number of finished jobs.
  static let newest = 20

  /// One-off jobs completed before this time, in seconds since 1970, are not shown.
  let horizon: Double
  private var unfinished: [JobSummary] = []
  /// The newest finished jobs, newest first.
  private var finished: [JobSummary] = []
  /// The number of omitted jobs in each state.
  private(set) var left: [JobState: Int] = [:]

  /// - Parameter keepingHistory: The seconds for which completed one-off jobs are shown; `nil` for all time.
  init(keepingHistory: Double?, now: Double) { horizon = keepingHistory.map { now - $0 } ?? -.infinity }

  /// The jobs to show, unsorted.
  var jobs: [JobSummary] { unfinished + finished }

  mutating func take(_ job: JobSummary) {
    guard job.state.isFinished else { return unfinished.append(job) }
    if job.isOneOff, job.state == .complete, ListCut.end(job) < horizon { return leave(job) }
    if finished.count == ListCut.newest, let oldest = finished.last, !ListCut.isNewer(job, oldest) { return leave(job) }
    finished.insert(job, at: finished.firstIndex { ListCut.isNewer(job, $0) } ?? finished.endIndex)
    if finished.count > ListCut.newest { leave(finished.removeLast()) }
  }

  /// The line below the table; `nil` if all jobs are shown.
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
