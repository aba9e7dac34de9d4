// The message for a new job whose target already belongs to an unfinished job. If that job's request must not be
// repeated and was already sent, the advice does not make the user send it again (P10, P11).

/// The unfinished job that has the target.
package struct TargetClash: Sendable, Equatable {
  /// The number of the job.
  package var job: JobID
  /// The state of the job.
  package var state: JobState
  /// Whether the request was sent and must not be repeated automatically.
  package var wasSubmitted: Bool
  /// The seconds until the end of the pause for which the job is queued, such as that before a retry; negative if the
  /// pause is over, and `nil` if there is none.
  package var pause: Double?

  /// Creates a clash.
  package init(job: JobID, state: JobState, wasSubmitted: Bool, pause: Double? = nil) {
    (self.job, self.state, self.wasSubmitted, self.pause) = (job, state, wasSubmitted, pause)
  }

  /// The seconds after its pause within which a job is continued if anybody transfers it. The process that transferred
  /// it may have died.
  private static let patience = 10.0

  /// Whether the job is queued only until a pause ends, and will probably be continued soon. A pause for which a server
  /// asked may be too long to wait for.
  package var isPausing: Bool {
    guard state == .queued, let pause else { return false }
    return -TargetClash.patience < pause && pause <= RetryRecord.longestPause
  }

  /// Returns the refusal of a new job with this target.
  package func failure(_ path: String) -> Failure {
    var failure = refusal(path)
    failure.owner = Failure.TargetOwner(job, isActive: state == .active || isPausing)
    return failure
  }

  /// Returns the refusal of two new jobs with this target.
  package static func amongNew(_ path: String) -> Failure {
    Failure(
      .file, path, "two of these files have this path",
      advice: "use another directory for one of them with \(.directory), or \(.onConflict) rename")
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

/// What to do with a job whose target belongs to another unfinished job. Two unfinished jobs never share a target (N6).
package enum ClashAnswer: Sendable, Equatable {
  /// The job is refused.
  case refuse
  /// The job gets another name.
  case rename
  /// The job ends without a file: the other job's file will be there, and existing files are kept.
  case skip
  /// The job waits until the other job has ended, and then replaces the file of that job.
  case wait

  /// Decides by the conflict policy of the job.
  /// - Parameters:
  ///   - isLate: Whether the name was chosen after the job was accepted: by the server, or while publishing. A job is
  ///     refused at once if its name is known when it is added.
  ///   - isActive: Whether the other job is being transferred, or will be after a pause. If not, waiting for its end
  ///     might take forever.
  package static func decide(_ policy: ConflictPolicy, isLate: Bool, isActive: Bool) -> ClashAnswer {
    switch policy {
    case .fail: .refuse
    case .rename: .rename
    case .skip: .skip
    case .overwrite: isLate && isActive ? .wait : .refuse
    }
  }
}

extension Failure {
  /// What to do with a job whose name was chosen late and then refused for this reason; `nil` if no other job has the
  /// target.
  package func clashAnswer(_ policy: ConflictPolicy) -> ClashAnswer? {
    owner.map { ClashAnswer.decide(policy, isLate: true, isActive: $0.isActive) }
  }
}
