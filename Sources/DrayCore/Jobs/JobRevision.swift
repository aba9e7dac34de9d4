// Changing a job by hand: what becomes of its request, its options and its place (`dray set`, `dray edit`).

/// A job that is to get another specification.
public struct JobRevision: Sendable, Equatable {
  /// The job as it was when the change was decided. What was changed since is not overwritten.
  public var before: Job
  /// What it is to be. The URL stays: another one is a matter of its own (P7).
  public var specification: JobSpecification
  /// The jobs that it is to wait for, in place of those that it waits for; `nil` leaves them.
  public var after: [JobID]?

  /// Makes a change.
  public init(_ before: Job, _ specification: JobSpecification, after: [JobID]? = nil) {
    (self.before, self.specification, self.after) = (before, specification, after)
  }

  /// Whether the file goes to another directory.
  public var movesDirectory: Bool { before.specification.place != specification.place }

  /// Whether the file gets another name.
  public var renames: Bool { before.specification.output != specification.output }

  /// Whether anything becomes another.
  public var isEmpty: Bool { before.specification == specification && after == nil }

  /// The name of the target: one that the user takes back is up to the server again, one that was fixed stays otherwise.
  public var fileName: String? { renames ? specification.output : before.fileName }
}

/// Which jobs can be changed.
public enum ChangeRule {
  /// The states of jobs that can be changed.
  public static let states: Set<JobState> = [.queued, .interrupted, .paused, .failed]

  /// Why a job cannot be changed, and what to do; `nil` if it can.
  public static func objection(to change: JobRevision) -> Failure? {
    let (job, id) = (change.before, change.before.id)
    func refusal(_ reason: String, _ advice: Advice) -> Failure {
      Failure(.other, "job \(id)", reason, advice: advice, recovery: .keep)
    }
    switch job.state {
    case .active: return refusal("it is active, so it cannot be changed", "pause it first: \(.pause, id)")
    case .complete: return refusal("it is complete, so it cannot be changed", "\(.get) fetches it again")
    case .queued, .interrupted, .paused, .failed: break
    }
    guard change.movesDirectory || change.renames else { return nil }
    if job.publishing != nil {
      return refusal("its file is being given its name", "\(.run) finishes that first")
    }
    if job.specification.options.repairs != nil {
      return refusal("it repairs a file, which stays where it is", "\(.run) finishes that first")
    }
    return nil
  }

  /// The same for a job as it is now: it must be as it was when the change was decided.
  public static func objection(to change: JobRevision, now job: Job) -> Failure? {
    var current = change
    current.before = job
    if let objection = objection(to: current) { return objection }
    guard job.specification == change.before.specification, job.fileName == change.before.fileName,
      job.attempts == change.before.attempts
    else {
      return Failure(
        .other, "job \(job.id)", "another process changed it meanwhile", advice: "try again", recovery: .keep)
    }
    return nil
  }
}

/// A part file that is on its way to another directory: of two directories it is in one, or it is being copied. Which of them
/// counts is said by that of the job.
public struct PartMove: Sendable, Equatable, Codable {
  /// Where it was.
  public var from: DirectoryPlace
  /// Where it goes.
  public var to: DirectoryPlace
  /// The state of its job before and after.
  public var state: JobState

  /// Makes the record.
  public init(from: DirectoryPlace, to: DirectoryPlace, state: JobState) {
    (self.from, self.to, self.state) = (from, to, state)
  }
}

/// What is done about a part file whose move was cut off.
public enum PartMoveRule: Sendable, Equatable {
  /// Nothing: it is where it belongs.
  case nothing
  /// What is in the directory that the job does not go to is removed: a copy, or what was copied.
  case remove(from: DirectoryPlace)
  /// The file is given back to the job's own directory.
  case giveBack(from: DirectoryPlace)

  /// Decides.
  /// - Parameters:
  ///   - place: the directory of the job.
  ///   - isHere: whether the part file is in it.
  ///   - isThere: whether it is in the other one.
  public static func decide(_ move: PartMove, place: DirectoryPlace, isHere: Bool, isThere: Bool) -> PartMoveRule {
    guard isThere else { return .nothing }
    let other = place == move.to ? move.from : move.to
    return isHere ? .remove(from: other) : .giveBack(from: other)
  }
}
