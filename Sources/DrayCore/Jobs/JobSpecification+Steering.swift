// Which changes of a job only steer it.

extension JobSpecification {
  /// Whether the jobs differ only in settings that decide when and how fast a job is transferred. The file, its source,
  /// its target and the job's rights are the same.
  public func isSteered(from other: JobSpecification) -> Bool {
    var same = self
    (same.priority, same.startAt, same.window, same.queue) = (other.priority, other.startAt, other.window, other.queue)
    (same.after, same.group) = (other.after, other.group)
    let options = other.options
    (same.options.rateLimit, same.options.maxConnections) = (options.rateLimit, options.maxConnections)
    (same.options.retries, same.options.retryWait) = (options.retries, options.retryWait)
    (same.options.maxRetryWait, same.options.maxTime) = (options.maxRetryWait, options.maxTime)
    // A setting that is set by hand is taken out of the rules that wait for the answer.
    same.options.lateRules = options.lateRules
    same.request.connectTimeout = other.request.connectTimeout
    same.request.stallTimeout = other.request.stallTimeout
    return same == other
  }
}
