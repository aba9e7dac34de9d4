// The state in which a job was last seen, used to detect changes.

internal import DrayCore
internal import DrayStore

/// The state of a job without the number of received bytes, which the progress reports.
struct JobPicture: Sendable, Equatable {
  let state: JobState
  /// The job's place in the queue.
  private let priority: Int
  private let rank: Double
  /// A hash of all other values that clients see.
  private let rest: Int

  init(_ job: JobSummary) {
    (state, priority, rank) = (job.state, job.priority, job.rank)
    var hasher = Hasher()
    hasher.combine(job.url)
    hasher.combine(job.finalURL)
    hasher.combine(job.directory)
    hasher.combine(job.shownName)
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
  /// - Parameter before: The earlier state of the job; `nil` for a new job.
  static func isMoved(_ before: JobPicture?, _ now: JobPicture, id: JobID) -> Bool {
    guard now.waits else { return false }
    guard let before else { return now.rank != Double(id) }
    // A job that was not waiting returns to its former place, which may be between other jobs.
    return !before.waits || (before.priority, before.rank) != (now.priority, now.rank)
  }
}
