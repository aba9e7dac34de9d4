internal import DrayEngine

/// Asks the sources of jobs for new links. The folder of the sources makes it.
struct LinkSource: Sendable {
  /// Asks for the file of a job.
  ///
  /// The answer may be one that another job got, if it was given after `time` on the monotonic clock.
  var ask: @Sendable (_ job: Job, _ engine: Engine, _ time: Double) async throws(Failure) -> RenewalRule.Offer
}
