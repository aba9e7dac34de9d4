// Counts the outcomes of a run's jobs; for each job, only the last one counts.

internal import DrayCore

/// The outcomes of the jobs of a run. So a job that ends several times, for example after `dray retry` during the run,
/// counts once.
struct RunTally: Sendable {
  enum Outcome: Sendable, Equatable {
    case complete, failed, interrupted, paused, removed
    /// The target existed and stays; the job is gone.
    case skipped
  }

  private struct Entry {
    var attempt: Int
    var outcome: Outcome
    var status: ExitStatus?
  }

  private var ends: [JobID: Entry] = [:]
  private var statuses: [ExitStatus: Int] = [:]
  private(set) var summary = RunSummary()

  /// Counts the end of a job in place of its earlier ends.
  ///
  /// An attempt that has lost its job may notice that only after a later attempt has ended. Its end does not count.
  /// - Parameters:
  ///   - attempt: The number of the attempt that ended.
  ///   - status: The exit status of a failure, or of an end that counts as not done.
  /// - Returns: Whether the end counts.
  mutating func close(_ id: JobID, attempt: Int, _ outcome: Outcome, _ status: ExitStatus? = nil) -> Bool {
    if let before = ends[id] {
      guard attempt >= before.attempt else { return false }
      add(before, -1)
    }
    let entry = Entry(attempt: attempt, outcome: outcome, status: status)
    ends[id] = entry
    add(entry, 1)
    return true
  }

  func hasEnded(_ id: JobID) -> Bool { ends[id] != nil }

  var ended: Set<JobID> { Set(ends.keys) }

  /// Counts a job that was completed in another runner.
  mutating func addComplete() { summary.complete += 1 }

  /// Adds a status that belongs to none of these ends.
  mutating func add(_ status: ExitStatus) {
    statuses[status, default: 0] += 1
    summary.statuses.insert(status)
  }

  private mutating func add(_ entry: Entry, _ count: Int) {
    switch entry.outcome {
    case .skipped: break
    case .complete: summary.complete += count
    case .failed: summary.failed += count
    case .interrupted: summary.interrupted += count
    case .paused:
      summary.interrupted += count
      summary.paused += count
    case .removed:
      summary.interrupted += count
      summary.removed += count
    }
    guard let status = entry.status else { return }
    statuses[status, default: 0] += count
    if statuses[status] == 0 { summary.statuses.remove(status) } else { summary.statuses.insert(status) }
  }
}
