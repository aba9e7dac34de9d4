// Decides whether a removed job can be brought back (P10).

/// Undoing a removal adds the job again. That must not repeat an unsafe request.
public enum UndoRule {
  /// Returns why a removed job cannot be brought back, as a clause without a full stop; `nil` if it can.
  /// - Parameter job: The job as it was when it was removed.
  public static func objection(to job: Job) -> String? {
    let request = job.specification.request
    if request.body != nil { return "the data that it sends was removed with it" }
    // An ended job is brought back as ended, and sends nothing. An active one may send its request at any moment.
    guard !request.isSafe, !job.state.isFinished, job.attempts > 0 || job.state == .active else { return nil }
    return "its \(TextSafety.escaped(request.method)) may have taken effect, so it is not repeated automatically"
  }
}
