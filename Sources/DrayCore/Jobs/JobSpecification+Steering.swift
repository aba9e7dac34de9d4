// Decides whether a change only steers a job.

extension JobSpecification {
  /// Whether the two differ only in settings that decide when and how fast the file is transferred. Then the file, its
  /// source, its target and the job's rights are equal.
  public func isSteered(from other: JobSpecification) -> Bool {
    var same = self
    (same.priority, same.startAt, same.window, same.queue) = (other.priority, other.startAt, other.window, other.queue)
    (same.after, same.group) = (other.after, other.group)
    let options = other.options
    (same.options.rateLimit, same.options.maxConnections) = (options.rateLimit, options.maxConnections)
    (same.options.retries, same.options.retryWait) = (options.retries, options.retryWait)
    (same.options.maxRetryWait, same.options.maxTime) = (options.maxRetryWait, options.maxTime)
    // A setting that the user sets is removed from the rules that are still waiting for the answer.
    same.options.lateRules = options.lateRules
    same.request.connectTimeout = other.request.connectTimeout
    same.request.stallTimeout = other.request.stallTimeout
    return same == other
  }
}
