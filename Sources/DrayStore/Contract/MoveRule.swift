// Decides which jobs may be moved within the queue.

internal import DrayCore

enum MoveRule {
  /// Checks that a job in this state waits, because only waiting jobs have a position.
  /// - Throws: Kind `usage` for any other job.
  static func check(_ id: JobID, in state: JobState?) throws(Failure) {
    switch state {
    case nil: throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    case .queued?, .interrupted?, .paused?: return
    case .active?: throw Failure(.usage, "job \(id)", "it is active already", advice: "\(.pause, id) stops it")
    case let state?:
      throw Failure(.usage, "job \(id)", "it is \(state.rawValue)", advice: "only waiting jobs can be moved")
    }
  }

  /// The refusal of a position beside a job that is itself to be moved.
  static func besideItself(_ id: JobID) -> Failure {
    Failure(.usage, "job \(id)", "it cannot be moved before or after itself", advice: "name another job")
  }
}
