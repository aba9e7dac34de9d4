// Records that the store exchanges with the owner of a job.

package import DrayCore

/// A kind of retry that a job may use once after a wrong digest. Raw values are bits of the column `digest_retried`.
package enum DigestRetry: Int64, Sendable {
  /// A clean fetch of the whole file from zero.
  case whole = 1
  /// A fetch of the pieces whose hashes do not match.
  case pieces = 2
}

/// The version of the file from which bytes must come when they are fetched again.
package struct ExpectedVersion: Sendable, Equatable {
  /// The checksums that the bytes must have.
  package var sums: BlockSums
  /// The validators of the published file under repair; `nil` for a damaged part file.
  package var repaired: Validators?

  package init(sums: BlockSums, repaired: Validators?) { (self.sums, self.repaired) = (sums, repaired) }
}

/// A job taken over from a dead runner.
package struct RecoveredJob: Sendable, Equatable {
  package var job: Job
  /// The pending command that the dead runner did not carry out.
  package var command: JobCommand?

  package init(job: Job, command: JobCommand?) { (self.job, self.command) = (job, command) }
}
