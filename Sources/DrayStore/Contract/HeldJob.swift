// What a holder of jobs is told, and what it records of them.

package import DrayCore

/// What is done once after a digest mismatch. The numbers are the bits of the column `digest_retried`.
package enum DigestRetry: Int64, Sendable {
  /// The one clean fetch from zero.
  case whole = 1
  /// The pieces that do not have their hash.
  case pieces = 2
}

/// The version that bytes which are fetched again must be of.
package struct ExpectedVersion: Sendable, Equatable {
  /// What the bytes must sum to.
  package var sums: BlockSums
  /// What identified the version of a published file that is repaired; without, it is a part file that was damaged.
  package var repaired: Validators?

  /// Makes an expectation.
  package init(sums: BlockSums, repaired: Validators?) { (self.sums, self.repaired) = (sums, repaired) }
}

/// A job that was taken from a dead runner.
package struct RecoveredJob: Sendable, Equatable {
  /// The job as it is now.
  package var job: Job
  /// What its runner had been asked for and did not do.
  package var command: JobCommand?

  /// Makes the record.
  package init(job: Job, command: JobCommand?) { (self.job, self.command) = (job, command) }
}
