// Decides whether a removed job can be brought back (P10).

/// To undo a removal, the job is added again. That must not send a request a second time that must not be repeated.
package enum UndoRule {
  /// The reason why a removed job cannot be restored, as a clause without a full stop; `nil` if it can.
  /// - Parameter job: The job when it was removed.
  package static func objection(to job: Job) -> String? {
    let request = job.specification.request
    if request.body != nil { return "the data that it sends was removed with it" }
    // A job that had ended comes back in that state and sends no request. An active job may send its request at any
    // moment.
    guard !request.isSafe, !job.state.isFinished, job.attempts > 0 || job.state == .active else { return nil }
    return "its \(TextSafety.escaped(request.method)) may have taken effect, so it is not repeated automatically"
  }
}
