// The message if an unfinished job already has the target of a new job. The advice never causes a second request if one
// was already sent (P10, P11).

/// The unfinished job that has the target.
public struct TargetClash: Sendable, Equatable {
  /// The number of the job.
  public var job: JobID
  /// The state of the job.
  public var state: JobState
  /// Whether the request was sent and must not be repeated automatically.
  public var wasSubmitted: Bool

  /// Creates a clash.
  public init(job: JobID, state: JobState, wasSubmitted: Bool) {
    (self.job, self.state, self.wasSubmitted) = (job, state, wasSubmitted)
  }

  /// Returns the refusal of another job with this target.
  public func failure(_ path: String) -> Failure {
    var failure = refusal(path)
    failure.owner = Failure.TargetOwner(job, isActive: state == .active)
    return failure
  }

  private func refusal(_ path: String) -> Failure {
    let otherName: Advice = "use another name with \(.output), or \(.onConflict) rename"
    if wasSubmitted, state != .active {
      return Failure(
        .file, path,
        "it is the target of job \(job), which \(state.predicate): its request was sent and may have taken effect",
        advice: "check the server; \(.resume, job) sends it again, \(.remove, job) removes it")
    }
    let own: Advice =
      switch state {
      case .active: "\(.wait, job) waits for it"
      case .queued: "\(.run) transfers it, \(.remove, job) removes it"
      default:
        "\(.resume, job) continues it, \(.setURL, job) gives it a new link, \(.remove, job) removes it"
      }
    return Failure(
      .file, path, "it is the target of job \(job), which \(state.predicate)", advice: "\(own); or \(otherName)")
  }
}

/// Decides about a job whose target belongs to another unfinished job. Two unfinished jobs never share a target (N6).
public enum ClashAnswer: Sendable, Equatable {
  /// The job is refused.
  case refuse
  /// The job gets another name.
  case rename
  /// The other job's file will be the existing file, which stays, so this job ends.
  case skip
  /// The job continues once the other job has ended, and replaces that job's file.
  case wait

  /// Decides by the policy of the job.
  /// - Parameters:
  ///   - isLate: Whether the name was chosen after the job was accepted: by the server, or while publishing. A name
  ///     that is known when the job is added is refused at once.
  ///   - isActive: Whether the other job is being transferred. If not, it may never end.
  public static func decide(_ policy: ConflictPolicy, isLate: Bool, isActive: Bool) -> ClashAnswer {
    switch policy {
    case .fail: .refuse
    case .rename: .rename
    case .skip: .skip
    case .overwrite: isLate && isActive ? .wait : .refuse
    }
  }
}

extension Failure {
  /// The decision on a job whose late name was refused for this reason; `nil` if no other job has the target.
  public func clashAnswer(_ policy: ConflictPolicy) -> ClashAnswer? {
    owner.map { ClashAnswer.decide(policy, isLate: true, isActive: $0.isActive) }
  }
}
