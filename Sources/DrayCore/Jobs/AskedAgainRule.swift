// Decides whether a request for a download is a request for a job that has failed before.

/// If a user requests the download of a failed job again, for example with a corrected password, that job starts over
/// with the new request. Without this rule, the failed job would stay in the list beside the new one.
package enum AskedAgainRule {
  /// Whether `specification` requests again what `job` failed to fetch, perhaps with corrections.
  ///
  /// Both must have the same ``DownloadKey``. The two requests may be equal: the correction may be in a file that they
  /// name, such as a password file. A job is not continued if its request must not be repeated (a POST), or if the new
  /// request has a start time or prerequisites. A file of a directory stays in its group, so its job continues only if
  /// the server refused the file.
  /// - Parameter wantsNew: Whether the caller expects a new job for each call. Even in that case, a job that the server
  ///   refused is continued.
  package static func isRepetition(
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
