// Decides how many jobs may run beside those whose servers do not answer.

extension JobGrowth {
  /// The seconds without an answer after which a job no longer counts.
  public static let silence = 1.5

  /// Returns the maximum number of jobs if `silent` of them have had no answer for ``silence``. Jobs of other origins
  /// may run in their places; many if no job at all has an answer, because then the line is idle. A number that the
  /// user chose remains the limit.
  public func limit(besides silent: Int) -> Int {
    guard fixed == nil, silent > 0 else { return limit }
    return max(limit, min(silent + (silent >= limit ? JobGrowth.connections : limit), ceiling))
  }
}
