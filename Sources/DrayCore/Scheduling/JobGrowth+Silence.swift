// Decides how many jobs run beside those whose servers do not answer.

extension JobGrowth {
  /// The seconds after which a job without an answer does not count as a job.
  public static let silence = 1.5

  /// Returns the maximum number of jobs if so many of them have had no answer for ``silence``. Jobs of other origins take
  /// their places: many if no job is answered, because the line is idle. A given number is a limit in any case.
  public func limit(besides silent: Int) -> Int {
    guard fixed == nil, silent > 0 else { return limit }
    return max(limit, min(silent + (silent >= limit ? JobGrowth.connections : limit), ceiling))
  }
}
