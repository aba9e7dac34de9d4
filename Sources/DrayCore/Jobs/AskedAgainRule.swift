// Whether a download that is asked for is a job that failed, asked for once more: a pure decision.

/// A server that refuses a job needs other credentials, and asking with those is the same download, corrected: the job goes
/// on with the request of now, and none is left behind that would fail again.
public enum AskedAgainRule {
  /// Whether `specification` is `job`, corrected.
  ///
  /// The same URL, directory and name are the same download. Whether the request is another one does not matter: the
  /// password may be in a file that was corrected. What failed for another reason, and what must not be repeated by itself,
  /// is not continued; nor is what is to start at another time or after other jobs.
  public static func isCorrection(_ specification: JobSpecification, of job: Job) -> Bool {
    guard job.state == .failed, let failure = job.failure, isRefusal(failure) else { return false }
    let own = job.specification
    return own.request.url == specification.request.url && own.directory == specification.directory
      && own.output == specification.output && own.request.isSafe && specification.request.isSafe
      && specification.after.isEmpty && specification.startAt == nil
  }

  /// Whether other credentials or header fields may be the answer.
  private static func isRefusal(_ failure: Failure) -> Bool {
    failure.kind == .authentication || failure.httpStatus.map([401, 403, 407].contains) ?? false
  }
}
