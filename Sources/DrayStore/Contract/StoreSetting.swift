// Data that all runs share: settings, and the numbers of transfers that helped at each origin.

package enum StoreSetting: String, Sendable {
  /// The total rate of a runner's jobs, as typed (`dray limit`).
  case rateLimit = "rate-limit"
  /// The number of jobs that a runner transfers at once, as typed (`dray limit --jobs`).
  case jobs
  /// The times at which runners transfer, as typed (`dray limit --window`), or `off` for all times.
  case window
  /// The limits as a program set them, in that program's format. They apply only as long as ``rateLimit`` has the same
  /// meaning.
  case timetable
  /// The jobs that clients of `dray serve` removed but whose bytes are kept, in the service's format.
  case removedByClients = "removed-by-clients"
  /// The files that clients of `dray serve` deleted, as long as the deletion can be undone, in the service's format.
  case deletedByClients = "deleted-by-clients"
  /// The feeds that `dray serve` reads regularly, in the service's format.
  case subscriptions
}

package enum HelpfulCount: String, Sendable {
  /// The number of connections to one file that helped; 0 if the answers had different versions.
  case connections
  /// The number of small files at once that helped; otherwise, the largest number that the origin did not refuse.
  case jobs = "jobs_at_once"
}
