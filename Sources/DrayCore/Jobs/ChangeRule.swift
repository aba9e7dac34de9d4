/// Decides which jobs can be changed.
package enum ChangeRule {
  /// The states in which every setting of a job can be changed. While a job is `active`, only some settings can be
  /// changed.
  package static let states: Set<JobState> = [.queued, .interrupted, .paused, .failed]

  /// Returns the reason why the job cannot be changed in this way, with advice; `nil` if it can.
  package static func objection(to change: JobRevision) -> Failure? {
    let (job, id) = (change.before, change.before.id)
    func refusal(_ reason: String, _ advice: Advice) -> Failure {
      Failure(.other, "job \(id)", reason, advice: advice, recovery: .keep)
    }
    switch job.state {
    case .active where isLive(change): break
    case .active:
      return refusal(
        "while it is active only between, limit-rate and priority can be changed", "pause it first: \(.pause, id)")
    case .complete: return refusal("it is complete, so it cannot be changed", "\(.get) fetches it again")
    case .queued, .interrupted, .paused, .failed: break
    }
    guard change.movesDirectory || change.renames || change.changesServer else { return nil }
    // The name is part of an object's key, and the key of an upload cannot change. Another server needs a new upload.
    let bindsName = [job.specification, change.specification].contains { $0.place.traits.bindsName }
    if bindsName, change.movesDirectory || change.renames, job.state != .failed,
      !job.checkpoint.segments.isEmpty || job.checkpoint.upload != nil
    {
      return refusal(
        "received bytes cannot be moved into, out of or within an object store",
        "let it finish first; \(.get) fetches it to the other place as well")
    }
    if job.publishing != nil {
      return refusal("its file is being given its name", "\(.run) finishes that first")
    }
    if job.specification.options.repairs != nil {
      return refusal("it repairs a file, which stays where it is", "\(.run) finishes that first")
    }
    return nil
  }

  /// Whether the change can be applied while the job is transferred.
  private static func isLive(_ change: JobRevision) -> Bool {
    let before = change.before.specification
    var rest = change.specification
    (rest.window, rest.priority, rest.options.rateLimit) = (before.window, before.priority, before.options.rateLimit)
    // A setting that the user changes is removed from the rules that still wait for the server's answer.
    rest.options.lateRules = before.options.lateRules
    return rest == before && change.after == nil
  }

  /// Checks the change once more, just before it is stored. It is only stored if the specification, the name and the
  /// attempts of `job`, which is the present record, are those for which the change was decided.
  package static func objection(to change: JobRevision, now job: Job) -> Failure? {
    var current = change
    current.before = job
    if let objection = objection(to: current) { return objection }
    guard job.specification == change.before.specification, job.fileName == change.before.fileName,
      job.attempts == change.before.attempts
    else {
      return Failure(
        .other, "job \(job.id)", "another process has just changed it", advice: "try again", recovery: .keep)
    }
    return nil
  }
}
