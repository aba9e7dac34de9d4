// Decides whether a change of a job only steers it.

extension JobSpecification {
  /// Whether two specifications differ only in settings that decide when and how fast the file is transferred. In that
  /// case, the file, its source, its target and the rights of the job are the same.
  public func isSteered(from other: JobSpecification) -> Bool {
    var same = self
    (same.priority, same.startAt, same.window, same.queue) = (other.priority, other.startAt, other.window, other.queue)
    (same.after, same.group) = (other.after, other.group)
    let options = other.options
    (same.options.rateLimit, same.options.maxConnections) = (options.rateLimit, options.maxConnections)
    (same.options.retries, same.options.retryWait) = (options.retries, options.retryWait)
    (same.options.maxRetryWait, same.options.maxTime) = (options.maxRetryWait, options.maxTime)
    // A setting that the user changes is removed from the rules that still wait for the server's answer.
    same.options.lateRules = options.lateRules
    same.request.connectTimeout = other.request.connectTimeout
    same.request.stallTimeout = other.request.stallTimeout
    return same == other
  }
}
