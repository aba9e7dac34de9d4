// What is said where the target of a new job is that of another which is not finished: whose it is, how that stands, and how
// to get on. A request that was sent already is never advised to be sent once more by another name (P10, P11).

/// The unfinished job that has a target.
public struct TargetClash: Sendable, Equatable {
  /// Its number.
  public var job: JobID
  /// How it stands.
  public var state: JobState
  /// Whether its request must not be repeated by itself, and was sent already.
  public var wasSubmitted: Bool

  /// Makes the value.
  public init(job: JobID, state: JobState, wasSubmitted: Bool) {
    (self.job, self.state, self.wasSubmitted) = (job, state, wasSubmitted)
  }

  /// The refusal of another job with this target.
  public func failure(_ path: String) -> Failure {
    let otherName = "use another name with -o, or --on-conflict rename"
    if wasSubmitted, state != .active {
      return Failure(
        .file, path,
        "it is the target of job \(job), which \(state.predicate): its request was sent and may have taken effect",
        advice: "check the server; `dray resume \(job)` sends it again, `dray remove \(job)` removes it")
    }
    let own =
      switch state {
      case .active: "`dray wait \(job)` waits for it"
      case .queued: "`dray run` transfers it, `dray remove \(job)` removes it"
      default: "`dray resume \(job)` continues it, `dray remove \(job)` removes it"
      }
    return Failure(
      .file, path, "it is the target of job \(job), which \(state.predicate)", advice: "\(own); or \(otherName)")
  }
}
