// The steps that `u` takes back in the full-screen display: removals, pauses, resumes and moves.

internal import DrayKit
internal import DrayStore
internal import Threads

/// A step of the user that can be taken back.
enum WatchStep: Sendable {
  indirect case removed(Job)
  /// A removal that a service keeps for a while.
  case removedThere(JobID)
  case paused(JobID)
  case resumed(JobID)
  /// The place beside its former neighbour, and the former priority.
  case moved(JobID, back: QueuePlace, priority: Int)

  /// The number of steps that can be taken back.
  static let most = 100

  /// Whether the step can be tried again if it could not be taken back. The other jobs can be changed by hand.
  var mayBeRepeated: Bool {
    switch self {
    case .removed, .removedThere: true
    default: false
    }
  }

  /// Returns the place that takes a move of one row back; `nil` for other moves.
  static func back(of place: QueuePlace) -> QueuePlace? {
    switch place {
    case .before(let other): .after(other)
    case .after(let other): .before(other)
    case .first, .last: nil
    }
  }

  /// Takes the step back.
  /// - Returns: The job, and a report.
  func takeBack(by manager: DownloadManager) async throws(Failure) -> (id: JobID, report: String) {
    switch self {
    case .removed(let job):
      let back = try await manager.jobs.restore([job], now: WallClock.now())
      guard let id = back.first?.id else { throw JobIDs.unknown(job.id) }
      let rest = job.state.isFinished || job.checkpoint.segments.isEmpty ? "" : "; it starts over"
      return (id, "job \(job.id) is back as job \(id)\(rest)")
    case .removedThere(let id): throw JobIDs.unknown(id)
    case .paused(let id):
      try check(try await manager.resume([id]).first?.result, id)
      return (id, "job \(id) queued again")
    case .resumed(let id):
      try check(try await manager.pause([id]).first?.result, id)
      return (id, "job \(id) paused again")
    case .moved(let id, let place, let priority):
      try await manager.move([id], to: place)
      // The move beside a job of another priority had changed its priority.
      if let job = try await manager.jobs.job(id), job.specification.priority != priority {
        var wanted = job.specification
        wanted.priority = priority
        _ = try await manager.change([JobRevision(job, wanted)])
      }
      return (id, "job \(id) is where it was")
    }
  }

  private func check(_ result: ControlResult?, _ id: JobID) throws(Failure) {
    switch result {
    case .done?, .asked?: return
    case .refused(let reason, let advice)?: throw Failure(.other, "job \(id)", reason, advice: advice)
    case .unknown?, nil: throw JobIDs.unknown(id)
    }
  }
}
