// What all runs share: settings, and how many transfers helped an origin.

/// The names of settings.
public enum StoreSetting: String, Sendable {
  /// The rate of all jobs of a runner together, as it was typed (`dray limit`).
  case rateLimit = "rate-limit"
  /// How many jobs a runner transfers at once, as it was typed (`dray limit --jobs`).
  case jobs
  /// The limits as a program set them, in its own words; they hold if ``rateLimit`` is what they come to.
  case timetable
}

/// What is counted of an origin.
public enum HelpfulCount: String, Sendable {
  /// Connections to one file; 0 if its answers were of different versions.
  case connections
  /// Small files at once, or as many as the origin did not refuse.
  case jobs = "jobs_at_once"
}
