// Records of publishing: permits before the renames, results after them.

package import DrayCore

/// A job whose part file is complete, checked and synced, and is about to be renamed.
package struct PublishIntent: Sendable {
  package var id: JobID
  /// The identity of the part file, which the target will have after the rename.
  package var identity: FileIdentity
  package var fileName: String
  /// How to fix a name that differs from other jobs' targets; a name that is already fixed stays.
  package var naming: TargetNaming?
  package var digest: SourcedDigest?
  /// The last answer, if it is not recorded yet; its validators apply to the whole file.
  package var response: ResponseRecord?
  package var sums: BlockSums?

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

package struct TargetNaming: Sendable {
  package var directory: String
  /// The policy for the case that another unfinished job has that target.
  package var policy: ConflictPolicy
  /// The names that exist in the directory, for the policy `rename` only. Other names may be taken, too; the publish
  /// notices that.
  package var taken: Set<String>
  /// Whether the new name replaces the job's present one, which is taken. If so, the policy is ``ConflictPolicy/fail``.
  package var isAnother: Bool

  package init(directory: String, policy: ConflictPolicy, taken: Set<String> = [], isAnother: Bool = false) {
    (self.directory, self.policy, self.taken, self.isAnother) = (directory, policy, taken, isAnother)
  }
}

/// Whether a part file may be renamed.
package enum PublishPermit: Sendable, Equatable {
  /// The part file may be renamed to this name.
  case granted(String)
  /// Another job has this target.
  case refused(Failure)
  /// The runner does not own the job.
  case lost
}

/// The results of recording a group of intents.
package struct PublishStart: Sendable, Equatable {
  /// The permit for each job, in order.
  package var permits: [PublishPermit]
  /// The jobs of the previous group that the runner owned, and that have ended now.
  package var ended: Set<JobID>

  package init(permits: [PublishPermit] = [], ended: Set<JobID> = []) {
    (self.permits, self.ended) = (permits, ended)
  }
}
