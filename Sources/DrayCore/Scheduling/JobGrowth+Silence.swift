// Decides how many jobs run in addition to jobs whose servers do not answer.

extension JobGrowth {
  /// The seconds after which a job without an answer does not count as a job.
  public static let silence = 1.5

  /// The maximum number of jobs if `silent` of them have had no answer for ``silence``. Jobs of other origins take the
  /// places of these: many if no job has an answer, because the line is idle. A number from the user is a limit in any
  /// case.
  public func limit(besides silent: Int) -> Int {
    guard fixed == nil, silent > 0 else { return limit }
    return max(limit, min(silent + (silent >= limit ? JobGrowth.connections : limit), ceiling))
  }
}
