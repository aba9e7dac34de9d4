// Which jobs `dray list` shows, and in which order.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire

enum ListOrder: String, CaseIterable, ExpressibleByArgument, Sendable {
  case id, queue, added, finished, size, name

  static var allValueDescriptions: [String: String] {
    [
      "id": "the oldest first", "queue": "as runners start them", "added": "when they were added",
      "finished": "when they ended", "size": "the largest first", "name": "the names of their files",
    ]
  }

  /// Sorts jobs. Jobs that lack the value come last, and jobs with equal values are sorted by id.
  func sort(_ jobs: inout [JobSummary]) {
    switch self {
    case .id: jobs.sort { $0.id < $1.id }
    case .queue: jobs.sort(by: ListOrder.isSooner)
    case .added: sort(&jobs) { $0.addedAt }
    case .finished: sort(&jobs) { $0.finishedAt ?? .infinity }
    case .size: sort(&jobs) { -Double($0.size ?? -1) }
    case .name: jobs.sort { (JobTableRow.name($0), $0.id) < (JobTableRow.name($1), $1.id) }
    }
  }

  private func sort(_ jobs: inout [JobSummary], _ key: (JobSummary) -> Double) {
    jobs.sort { (key($0), $0.id) < (key($1), $1.id) }
  }

  /// Compares two jobs by the order in which runners take them: active jobs, then waiting ones, then all others.
  private static func isSooner(_ one: JobSummary, _ other: JobSummary) -> Bool {
    func place(_ state: JobState) -> Int {
      switch state {
      case .active: 0
      case .queued, .interrupted, .paused: 1
      case .complete, .failed: 2
      }
    }
    let (first, second) = (place(one.state), place(other.state))
    if first != second { return first < second }
    guard first == 1 else { return one.id < other.id }
    if one.priority != other.priority { return one.priority > other.priority }
    return (one.rank, one.id) < (other.rank, other.id)
  }
}

struct ListFilter: Sendable {
  var states: Set<JobState>?
  /// The earliest time at which a job was added or ended, in seconds since 1970.
  var since: Double?
  var pattern: Wildcard?
  var group: GroupID?
  var queue: String?
  /// The labels that a job must have. A job with only some of them is not listed.
  var labels: [JobLabel] = []

  /// Whether the user selected jobs. In that case, all matching jobs are shown.
  var isSelecting: Bool { states != nil || !selectsByState }
  /// Whether jobs are selected by nothing but their state.
  var selectsByState: Bool { since == nil && pattern == nil && queue == nil && labels.isEmpty && group == nil }

  /// The conditions that the store checks. All other conditions are checked for each job that the store returns.
  var choice: JobChoice { JobChoice(states: states, labels: labels, queue: queue, group: group) }
  /// Whether the store returns exactly the jobs to list.
  var isChoice: Bool { since == nil && pattern == nil }

  /// Whether a job is listed. The pattern is compared only with the part of a URL that is shown, and not with its
  /// secrets.
  func takes(_ job: JobSummary) -> Bool {
    if let since, max(job.addedAt, job.finishedAt ?? 0) < since { return false }
    if let group, job.group?.id != group { return false }
    if let queue, job.queue != queue { return false }
    if !labels.isEmpty, job.labelsText == nil || !JobLabel.matches(job.labels, all: labels) { return false }
    guard let pattern else { return true }
    return pattern.matches(ShownURL.text(job.url)) || job.target.map(pattern.matches) ?? false
  }
}
