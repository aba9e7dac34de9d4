// Which jobs a list on a terminal shows: what is unfinished, and the newest of the rest. Pure.

internal import DrayKit
internal import DrayStore

/// The jobs of a list that has room for few; as many as there may be, it remembers no more than it shows.
struct ListCut {
  /// How many of those that are finished are shown.
  static let newest = 20

  /// One-off jobs that were completed before then, in seconds since 1970, are not shown.
  let horizon: Double
  private var unfinished: [JobSummary] = []
  /// The newest of those that are finished, the newest first.
  private var finished: [JobSummary] = []
  /// How many are not shown, by their states.
  private(set) var left: [JobState: Int] = [:]

  /// - Parameter keepingHistory: seconds for which completed one-off jobs are shown; `nil` is for all time.
  init(keepingHistory: Double?, now: Double) { horizon = keepingHistory.map { now - $0 } ?? -.infinity }

  /// The jobs that are shown, in no order.
  var jobs: [JobSummary] { unfinished + finished }

  /// Takes one job.
  mutating func take(_ job: JobSummary) {
    guard job.state.isFinished else { return unfinished.append(job) }
    if job.isOneOff, job.state == .complete, ListCut.end(job) < horizon { return leave(job) }
    if finished.count == ListCut.newest, let oldest = finished.last, !ListCut.isNewer(job, oldest) { return leave(job) }
    finished.insert(job, at: finished.firstIndex { ListCut.isNewer(job, $0) } ?? finished.endIndex)
    if finished.count > ListCut.newest { leave(finished.removeLast()) }
  }

  /// The line below the table; `nil` if all are shown.
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
