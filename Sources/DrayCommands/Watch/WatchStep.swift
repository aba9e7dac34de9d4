// The steps that the key `u` undoes in the full-screen display: removals, pauses, resumes and moves.

internal import DrayKit
internal import DrayStore
internal import Threads

/// A step of the user that can be undone.
enum WatchStep: Sendable {
  indirect case removed(Job)
  /// A removal that a service keeps for a while.
  case removedThere(JobID)
  case paused(JobID)
  case resumed(JobID)
  /// A move: the place beside the job's former neighbour, and the job's former priority.
  case moved(JobID, back: QueuePlace, priority: Int)

  /// The maximum number of steps that can be undone.
  static let most = 100

  /// Whether the undo can be tried again after it has failed. Only a removal can; the user can reverse any other step
  /// by hand.
  var mayBeRepeated: Bool {
    switch self {
    case .removed, .removedThere: true
    default: false
    }
  }

  /// Returns the place that undoes a move by one row; `nil` for any other move.
  static func back(of place: QueuePlace) -> QueuePlace? {
    switch place {
    case .before(let other): .after(other)
    case .after(let other): .before(other)
    case .first, .last: nil
    }
  }

  /// Undoes the step.
  /// - Returns: The job that the step concerns, and a text about the result.
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
      // If the job was moved beside one with another priority, the move also changed its own priority.
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
