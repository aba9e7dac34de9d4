// A job: one file to fetch, with everything that is known about it.

public import struct FoundationEssentials.UUID

/// A job, as the store has it.
public struct Job: Sendable, Equatable, Identifiable {
  /// The number that commands accept.
  public var id: JobID
  /// The UUID, which names the job's files.
  public var uuid: UUID
  /// The state.
  public var state: JobState
  /// The specification.
  public var specification: JobSpecification
  /// The name of the target; `nil` until it is fixed. Once it is fixed, it never changes.
  public var fileName: String?
  /// The file name from the job's own URL, while the job is fetched from a mirror. The target gets this name if the
  /// server suggests none. The store does not keep this name.
  public var ownName: String?
  /// The job's own request, while the job is fetched from a mirror. The store does not keep this copy.
  @Boxed public var ownRequest: TransferRequest?
  /// The durable bytes on disk.
  @inlinable public var checkpoint: Checkpoint {
    _read { yield sharedCheckpoint.value }
    _modify { yield &sharedCheckpoint.value }
  }
  /// The last answer.
  @Boxed public var response: ResponseRecord?
  /// The identity of the part file that is about to be renamed, once its publish has started; otherwise `nil`.
  public var publishing: FileIdentity?
  /// The identity of the published target.
  public var published: FileIdentity?
  /// The digest of the whole file, whether it was only computed or also checked.
  public var digest: DigestValue?
  /// The source of the digest.
  public var digestSource: DigestSource?
  /// The number of attempts.
  public var attempts: Int
  /// The state of the retry policy.
  public var retry: RetryRecord
  /// The earliest time of the next attempt, in seconds since 1970.
  public var notBefore: Double?
  /// The time at which the job was added, in seconds since 1970.
  public var addedAt: Double
  /// The time at which the job ended, in seconds since 1970.
  public var finishedAt: Double?
  /// The last failure.
  @Boxed public var failure: Failure?
  /// A note on a successful job: "length unverified", "started over: …".
  public var note: String?
  /// The runner that owns the job while it is active.
  public var runner: UUID?
  /// The group of the job.
  public var group: GroupLabel?
  /// The generation of the part file, which changes when another machine takes the job over. In a store of one machine,
  /// it is always the first one.
  public var part = PartGeneration()

  @usableFromInline var sharedCheckpoint = Shared(Checkpoint())

  /// Creates a queued job from a specification.
  public init(id: JobID, uuid: UUID, specification: JobSpecification, addedAt: Double) {
    self.id = id
    self.uuid = uuid
    self.specification = specification
    self.addedAt = addedAt
    state = .queued
    fileName = specification.output
    attempts = 0
    retry = RetryRecord()
  }

  /// The name of the part file.
  public var partFileName: String { partFileName(of: part.number) }

  /// The names of all part files that the job may have, including the one from which its bytes are being copied.
  public var partFileNames: [String] { [part.number, part.source].compactMap { $0.map(partFileName(of:)) } }

  /// Returns the name of the part file with this generation.
  public func partFileName(of generation: UInt32) -> String {
    PartName.text(uuid.text, stem: specification.options.partStem, generation: generation)
  }

  /// Returns the hidden name of a part file for a UUID.
  public static func partFileName(_ uuid: UUID) -> String { PartName.text(uuid.text, stem: nil) }

  /// Returns the UUID of the job whose part file has this name, hidden or visible; `nil` for any other name.
  public static func ofPartFile(named name: String) -> UUID? { PartName.uuid(of: name) }

  /// The digest of the whole file.
  public var knownDigest: SourcedDigest? { digest.map { SourcedDigest($0, digestSource ?? .given) } }

  /// The absolute path of the target; `nil` until its name is fixed.
  public var target: String? { fileName.map { PathText.join(specification.directory, $0) } }

  /// The absolute path of the part file.
  public var partFile: String { PathText.join(specification.place.partPlace.path, partFileName) }

  /// The absolute path that the part file has beside its target just before the publish.
  public var partFileAtTarget: String { PathText.join(specification.directory, partFileName) }
}

extension Job {
  /// A readable name for a file that is named by its digest.
  public var title: String? { specification.options.source?.title }
}
