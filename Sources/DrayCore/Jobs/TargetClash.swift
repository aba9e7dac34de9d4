// The message if the target of a new job is that of an unfinished one: which job, its state, and what
// to do. The advice never sends a request again that was sent already (P10, P11).

/// The unfinished job that has a target.
public struct TargetClash: Sendable, Equatable {
  /// Its number.
  public var job: JobID
  /// Its state.
  public var state: JobState
  /// Whether its request must not be repeated automatically, and was sent already.
  public var wasSubmitted: Bool

  /// Makes the value.
  public init(job: JobID, state: JobState, wasSubmitted: Bool) {
    (self.job, self.state, self.wasSubmitted) = (job, state, wasSubmitted)
  }

  /// The refusal of another job with this target.
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
