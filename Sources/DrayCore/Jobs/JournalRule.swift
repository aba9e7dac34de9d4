// Decides which bytes of a journal a job may use after the death of the process that wrote them (P21).

package import struct FoundationEssentials.UUID

/// The version of the bytes in a journal, and the part file that contains them.
public struct JournaledVersion: Sendable, Equatable, Codable {
  /// Identifies the boot of the machine that wrote the bytes. After another boot, bytes that were only in memory are
  /// gone.
  package var boot: String
  /// The UUID of the job.
  package var job: UUID
  /// The name of the part file.
  package var partName: String
  /// The number of the part file's storage, as in a ``FileIdentity``.
  package var device: UInt64
  /// The number of the part file.
  package var inode: UInt64
  /// The number of the attempt that wrote the bytes, as in ``Job/attempts``.
  package var attempt: Int
  /// The time of the answer that described this version, as in its ``ResponseRecord``.
  package var answeredAt: Double
  /// The length of the whole file, if known.
  package var size: Int64?
  /// The validators of the version.
  package var validators: Validators
  /// The server's digests of the version.
  package var offered: [SourcedDigest]
  /// The source and form of the bytes.
  package var provenance: Provenance?

  /// Describes the version to which the bytes of a checkpoint belong.
  package init(
    _ checkpoint: Checkpoint, answeredAt: Double, of job: UUID, attempt: Int, in part: FileIdentity,
    named partName: String, boot: String
  ) {
    (self.boot, self.job, self.partName) = (boot, job, partName)
    (self.attempt, self.answeredAt) = (attempt, answeredAt)
    (device, inode) = (part.device, part.inode)
    (size, validators) = (checkpoint.size, checkpoint.validators)
    (offered, provenance) = (checkpoint.offered, checkpoint.provenance)
  }

  /// Whether the job has no answer that came after the one that described this version. An attempt that is just
  /// beginning has no answer yet, so it does not count.
  func isOfLastAnswer(to job: Job) -> Bool {
    job.attempts == attempt + 1 || job.response?.time == answeredAt
  }

  /// Whether the bytes of a checkpoint belong to this version.
  func isVersion(of checkpoint: Checkpoint) -> Bool {
    size == checkpoint.size && validators.etag == checkpoint.validators.etag
      && validators.lastModified == checkpoint.validators.lastModified && provenance == checkpoint.provenance
  }
}

/// Decides which bytes of a journal a job may use.
public enum JournalRule {
  /// The journal of a file of at least this length begins with the file's first bytes. A shorter file gets a journal
  /// after its transfer has taken some time.
  public static let least: Int64 = 8 << 20

  /// Returns the extents whose bytes must be compared with their checksums before the job may use them.
  ///
  /// A journal counts only if the process that wrote it is dead, if it belongs to this boot, this job and this part
  /// file, and if no other attempt has written since. If the checkpoint has bytes, its version and its checksums show
  /// whether another attempt has written. If it has none, no other attempt got an answer, so the last answer in the
  /// store belongs to the journal.
  /// - Parameters:
  ///   - part: The identity of the part file.
  ///   - boot: Identifies the present boot; `nil` if unknown.
  public static func extents(
    of version: JournaledVersion, _ sums: BlockSums, for job: Job, in part: FileIdentity, boot: String?
  ) -> [BlockSums.Extent] {
    let recorded = job.checkpoint
    guard version.boot == boot, version.job == job.uuid, version.partName == job.partFileName,
      version.device == part.device, version.inode == part.inode, !job.part.mustBeReplaced,
      job.specification.request.isSafe,
      recorded.segments.isEmpty ? version.isOfLastAnswer(to: job) : version.isVersion(of: recorded)
    else { return [] }
    let end = min(part.size, version.size ?? .max)
    return sums.extents.filter { $0.upper <= end && !recorded.segments.contains($0.segment) }
  }

  /// Returns a job's checkpoint, extended by the bytes of a journal.
  /// - Parameters:
  ///   - sums: The recorded checksums of the job.
  ///   - extents: The extents of the journal whose bytes match their checksums.
  public static func joined(
    _ recorded: Checkpoint, _ sums: BlockSums, with extents: [BlockSums.Extent], of version: JournaledVersion
  ) -> Checkpoint {
    var joined = recorded
    if recorded.segments.isEmpty {
      (joined.size, joined.validators) = (version.size, version.validators)
      (joined.offered, joined.provenance) = (version.offered, version.provenance)
    }
    joined.sums = sums
    for extent in extents {
      joined.segments.insert(extent.segment)
      joined.sums.insert(extent.segment, extent.sum)
    }
    return joined
  }
}
