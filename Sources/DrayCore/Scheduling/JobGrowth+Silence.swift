// Decides how many additional jobs may run because the servers of some jobs do not answer.

extension JobGrowth {
  /// After this many seconds without an answer, a job no longer counts.
  package static let silence = 1.5

  /// Returns the maximum number of jobs if `silent` of them have had no answer for ``silence``. Jobs of other origins
  /// may run in place of the silent ones; if no job at all has an answer, many may, because then the line is idle. A
  /// number that the user chose stays the limit.
  package func limit(besides silent: Int) -> Int {
    guard fixed == nil, silent > 0 else { return limit }
    return max(limit, min(silent + (silent >= limit ? JobGrowth.connections : limit), ceiling))
  }
}
