// How a job was when it was looked at last: enough to see that it is another now.

internal import DrayCore
internal import DrayStore

/// A job without the bytes that it has, of which the progress tells.
struct JobPicture: Sendable, Equatable {
  let state: JobState
  /// Its place in the queue.
  private let priority: Int
  private let rank: Double
  /// All else that is shown of it.
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
    hasher.combine(job.waitsFor)
    hasher.combine(job.failureText)
    hasher.combine(job.note)
    hasher.combine(job.finishedAt)
    hasher.combine(job.digest)
    hasher.combine(job.group)
    rest = hasher.finalize()
  }

  private var waits: Bool { [.queued, .paused, .interrupted].contains(state) }

  /// Whether a job that waits has got another place; of a new one, whether it is elsewhere than behind the others.
  /// - Parameter before: nil for a new job.
  static func isMoved(_ before: JobPicture?, _ now: JobPicture, id: JobID) -> Bool {
    guard now.waits else { return false }
    guard let before else { return now.rank != Double(id) }
    // One that was not in the line comes to where it once was: others may be between.
    return !before.waits || (before.priority, before.rank) != (now.priority, now.rank)
  }
}
