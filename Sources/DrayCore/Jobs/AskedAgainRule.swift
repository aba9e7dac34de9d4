// Decides whether a requested download is a corrected failed job.

/// A job that a server refused needs other credentials. A request with them is the same download, corrected: the job
/// continues with the new request, and no failed job is left behind.
public enum AskedAgainRule {
  /// Whether `specification` is `job`, corrected.
  ///
  /// They must have the same URL, directory and name. Their requests may be equal, because the password may be in a
  /// corrected file. A job that failed for another reason, or whose request must not be repeated, is not continued.
  /// Neither is any job if the new request has a start time or prerequisites.
  public static func isCorrection(_ specification: JobSpecification, of job: Job) -> Bool {
    guard job.state == .failed, let failure = job.failure, isRefusal(failure) else { return false }
    let own = job.specification
    return own.request.url == specification.request.url && own.directory == specification.directory
      && own.output == specification.output && own.request.isSafe && specification.request.isSafe
      && specification.after.isEmpty && specification.startAt == nil
  }

  /// Whether other credentials or header fields may help.
  private static func isRefusal(_ failure: Failure) -> Bool {
    failure.kind == .authentication || failure.httpStatus.map([401, 403, 407].contains) ?? false
  }
}
