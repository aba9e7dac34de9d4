// The last seen state of a job, to detect changes.

internal import DrayCore
internal import DrayStore

/// A job without its received bytes, which the progress reports.
struct JobPicture: Sendable, Equatable {
  let state: JobState
  /// The place in the queue.
  private let priority: Int
  private let rank: Double
  /// A hash of all other shown values.
  private let rest: Int

  init(_ job: JobSummary) {
    (state, priority, rank) = (job.state, job.priority, job.rank)
    var hasher = Hasher()
    hasher.combine(job.url)
    hasher.combine(job.finalURL)
    hasher.combine(job.directory)
    hasher.combine(job.fileName)
    hasher.combine(job.size)
    hasher.combine(job.attempts)
    hasher.combine(job.notBefore)
    hasher.combine(job.holdText)
    hasher.combine(job.startAt)
    hasher.combine(job.windowText)
    hasher.combine(job.waitsFor)
    hasher.combine(job.failureText)
    hasher.combine(job.note)
    hasher.combine(job.finishedAt)
    hasher.combine(job.digest)
    hasher.combine(job.group)
    hasher.combine(job.labelsText)
    rest = hasher.finalize()
  }

  private var waits: Bool { [.queued, .paused, .interrupted].contains(state) }

  /// Whether a waiting job has moved, or a new job is not at the end of the queue.
  /// - Parameter before: The earlier picture; `nil` for a new job.
  static func isMoved(_ before: JobPicture?, _ now: JobPicture, id: JobID) -> Bool {
    guard now.waits else { return false }
    guard let before else { return now.rank != Double(id) }
    // A job that did not wait returns to its former place, which may be between others.
    return !before.waits || (before.priority, before.rank) != (now.priority, now.rank)
  }
}
