// Decides whether a requested download is a failed job, asked for again.

/// A request for the download of a failed job starts that job over with the new request, for example with a corrected
/// password. Otherwise the failed job would stay in the list beside its successor.
public enum AskedAgainRule {
  /// Whether `specification` asks again for what `job` failed to fetch, perhaps with corrections.
  ///
  /// Both must have the same ``DownloadKey``. The requests may be equal: the correction may be in a file that they
  /// name, such as a password file. A job whose request must not be repeated (a POST) is not continued; neither is any
  /// job if the new request has a start time or prerequisites. A file of a directory stays in its group, so its job
  /// continues only if the server refused it.
  /// - Parameter wantsNew: Whether the caller expects a new job for each call. A job that the server refused is
  ///   continued even then.
  public static func isRepetition(
    _ specification: JobSpecification, of job: Job, wantsNew: Bool = false
  ) -> Bool {
    guard job.state == .failed, let failure = job.failure else { return false }
    let isGrouped = specification.group != nil || job.group != nil
    guard isRefusal(failure) || !wantsNew && !isGrouped else { return false }
    let own = job.specification
    return own.key == specification.key && own.request.isSafe && specification.request.isSafe
      && specification.after.isEmpty && specification.startAt == nil
  }

  /// Whether other credentials or header fields may help.
  private static func isRefusal(_ failure: Failure) -> Bool {
    failure.kind == .authentication || failure.httpStatus.map([401, 403, 407].contains) ?? false
  }
}
