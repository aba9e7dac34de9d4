// The groups of jobs in a table, where each group has one row.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

struct GroupedRows {
  private struct Sum {
    var row: Int
    var states: [JobState: Int] = [:]
    var received: Int64 = 0
    var size: Int64 = 0
    var rate: Double = 0
    var waits: Set<String> = []
  }

  private(set) var rows: [JobTableRow] = []
  private let groups: [GroupID: StoredGroup]
  private var sums: [GroupID: Sum] = [:]

  /// - Parameter groups: The groups that are shown as one row each.
  init(_ groups: [StoredGroup]) { self.groups = Dictionary(uniqueKeysWithValues: groups.map { ($0.label.id, $0) }) }

  /// Adds a job, either as a row of its own or to its group. The row of a group stands at the place of the group's
  /// first job.
  mutating func add(_ job: JobTableRow, in group: GroupLabel?) {
    guard let group, let stored = groups[group.id] else { return rows.append(job) }
    var sum = sums[group.id] ?? Sum(row: rows.count)
    if sums[group.id] == nil { rows.append(JobTableRow(stored, like: job)) }
    sum.states[job.state, default: 0] += 1
    sum.received += job.received
    sum.size += job.size ?? 0
    sum.rate += job.rate ?? 0
    if let wait = job.wait { sum.waits.insert(wait) }
    sums[group.id] = sum
    let all = sum.states.values.reduce(0, +)
    rows[sum.row].state = GroupedRows.state(sum.states)
    rows[sum.row].files = (sum.states[.complete, default: 0], all)
    rows[sum.row].size = sum.size > 0 ? sum.size : nil
    rows[sum.row].received = sum.received
    rows[sum.row].rate = sum.rate > 0 ? sum.rate : nil
    rows[sum.row].error = sum.states[.failed].map { "\($0) failed" }
    rows[sum.row].wait = sum.waits.count == 1 ? sum.waits.first : nil
  }

  /// Returns the state to show for a group: the state of its active jobs if there are any, otherwise that of the
  /// unfinished jobs, otherwise that of the failed ones.
  static func state(_ states: [JobState: Int]) -> JobState {
    let order: [JobState] = [.active, .queued, .interrupted, .paused, .failed]
    return order.first { states[$0, default: 0] > 0 } ?? .complete
  }
}

extension JobTableRow {
  /// Creates the row of a group, with the same columns as the row of a job.
  init(_ group: StoredGroup, like job: JobTableRow) {
    self = job
    label = "g\(group.label.id)"
    let isOfSource = JobGroup.isOfSource(group.url)
    name = SourceReference.shown(group.label.name) + (isOfSource ? "" : "/")
    url = (isOfSource ? SourceReference.shown(group.label.name) : ShownURL.text(group.url)).start(1000)
    history = job.history.isEmpty ? [] : [job.history[0], "", ""]
  }
}

/// The line above the jobs of a group: what it is, and how far its jobs are.
struct GroupHead {
  private let group: StoredGroup
  private var states: [JobState: Int] = [:]
  private var received: Int64 = 0
  private var size: Int64 = 0
  /// The number of jobs without a known size.
  private var unsized = 0

  init(_ group: StoredGroup) { self.group = group }

  mutating func add(_ state: JobState, received: Int64, size: Int64?) {
    states[state, default: 0] += 1
    // A complete file of unknown length has all its bytes. Those of an unfinished one are no part of a known size.
    guard let size = size ?? (state == .complete ? received : nil) else { return unsized += 1 }
    self.received = self.received.saturatingSum(state == .complete ? size : received)
    self.size = self.size.saturatingSum(size)
  }

  /// Returns the line, escaped.
  /// - Parameter reveals: Whether to show the secrets of URLs.
  func text(reveals: Bool = false) -> String {
    let isOfSource = JobGroup.isOfSource(group.url)
    let name =
      isOfSource
      ? SourceReference.shown(group.label.name) : TextSafety.escaped(ShownURL.text(group.url, reveals: reveals))
    let counts = JobState.allCases.compactMap { state in states[state].map { "\($0) \(state.rawValue)" } }
    var parts = counts
    if size > 0 { parts.append(received == size ? ByteText.size(size) : ByteCount.share(received, of: size)) }
    if unsized > 0 { parts.append("\(unsized) of unknown size") }
    let facts = parts.isEmpty ? "no jobs" : parts.joined(separator: ", ")
    return "Group \(group.label.id): \(name.start(1000)) in \(TextSafety.escaped(group.directory)): \(facts)"
  }
}
