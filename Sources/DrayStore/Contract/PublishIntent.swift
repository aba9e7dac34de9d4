// How a whole file becomes a job's target: permits before the renames, ends after them.

package import DrayCore

/// A job whose part file is whole, checked and synced, and is about to be renamed.
package struct PublishIntent: Sendable {
  /// The job.
  package var id: JobID
  /// The part file as it is now; the target will be the same file.
  package var identity: FileIdentity
  /// The name of the target.
  package var fileName: String
  /// How the name is kept clear of other jobs' targets, where it is not fixed yet; a name that is fixed stays.
  package var naming: TargetNaming?
  /// What the file hashes to, where that was computed.
  package var digest: SourcedDigest?
  /// The last answer, where it is not recorded yet; its validators are of the whole file.
  package var response: ResponseRecord?
  /// What is known of its bytes, where that is to be recorded.
  package var sums: BlockSums?

  /// Makes an intent.
  package init(
    id: JobID, identity: FileIdentity, fileName: String, naming: TargetNaming? = nil, digest: SourcedDigest? = nil,
    response: ResponseRecord? = nil, sums: BlockSums? = nil
  ) {
    self.id = id
    self.identity = identity
    self.fileName = fileName
    self.naming = naming
    self.digest = digest
    self.response = response
    self.sums = sums
  }
}

/// How the name of a target is fixed.
package struct TargetNaming: Sendable {
  /// The directory of the target.
  package var directory: String
  /// What is done if another unfinished job fetches to that name.
  package var policy: ConflictPolicy
  /// Whether something in the directory has a name; asked where the policy is `rename`.
  package var exists: @Sendable (String) -> Bool

  /// Makes the rule.
  package init(directory: String, policy: ConflictPolicy, exists: @escaping @Sendable (String) -> Bool) {
    (self.directory, self.policy, self.exists) = (directory, policy, exists)
  }
}

/// Whether a part file may be renamed.
package enum PublishPermit: Sendable, Equatable {
  /// It may, to this name.
  case granted(String)
  /// It may not: the name is another job's target.
  case refused(Failure)
  /// The runner does not hold the job.
  case lost
}

/// A job whose target is published.
package struct Finished: Sendable {
  /// The job.
  package var id: JobID
  /// The target.
  package var published: FileIdentity
  /// Bytes of the file.
  package var received: Int64
  /// The length of the file.
  package var size: Int64?
  /// What is worth knowing: "length unverified".
  package var note: String?
  /// What the file hashes to, where that was computed.
  package var digest: SourcedDigest?
  /// The try that ended so; `nil` for a publish that was finished for a dead runner.
  package var attempt: AttemptRecord?

  /// Makes the record of a finished job.
  package init(
    id: JobID, published: FileIdentity, received: Int64, size: Int64?, note: String? = nil,
    digest: SourcedDigest? = nil, attempt: AttemptRecord? = nil
  ) {
    self.id = id
    self.published = published
    self.received = received
    self.size = size
    self.note = note
    self.digest = digest
    self.attempt = attempt
  }
}
