// The message if an unfinished job already has the target of a new job. The advice never repeats a request that was
// already sent (P10, P11).

/// The unfinished job that has the target.
public struct TargetClash: Sendable, Equatable {
  /// The number of the job.
  public var job: JobID
  /// The state of the job.
  public var state: JobState
  /// Whether its request was sent and must not be repeated automatically.
  public var wasSubmitted: Bool

  /// Creates a clash.
  public init(job: JobID, state: JobState, wasSubmitted: Bool) {
    (self.job, self.state, self.wasSubmitted) = (job, state, wasSubmitted)
  }

  /// Returns the refusal of another job with this target.
  public func failure(_ path: String) -> Failure {
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
