// A job: one file to fetch, with all known facts about it.

public import struct FoundationEssentials.UUID

/// A job as stored.
public struct Job: Sendable, Equatable, Identifiable {
  /// The number that commands accept.
  public var id: JobID
  /// The UUID, which names the job's files.
  public var uuid: UUID
  /// The state.
  public var state: JobState
  /// The specification.
  public var specification: JobSpecification
  /// The name of the target, once fixed. It never changes after that.
  public var fileName: String?
  /// The name from the job's own URL, if the job is fetched from a mirror. Used if the server suggests no name. Not
  /// stored.
  public var ownName: String?
  /// The job's own request, if the job is fetched from a mirror. Not stored.
  @Boxed public var ownRequest: TransferRequest?
  /// The durable bytes on disk.
  @inlinable public var checkpoint: Checkpoint {
    _read { yield sharedCheckpoint.value }
    _modify { yield &sharedCheckpoint.value }
  }
  /// The last answer.
  @Boxed public var response: ResponseRecord?
  /// The intent of a started publish: the part file's identity before the rename.
  public var publishing: FileIdentity?
  /// The identity of the published target.
  public var published: FileIdentity?
  /// The digest of the whole file, computed or checked.
  public var digest: DigestValue?
  /// The source of the digest.
  public var digestSource: DigestSource?
  /// The number of attempts.
  public var attempts: Int
  /// The state of the retry policy.
  public var retry: RetryRecord
  /// The time before which the job is not tried, in seconds since 1970.
  public var notBefore: Double?
  /// The time at which the job was added, in seconds since 1970.
  public var addedAt: Double
  /// The time of the end, in seconds since 1970.
  public var finishedAt: Double?
  /// The last failure.
  @Boxed public var failure: Failure?
  /// A note on a successful job: "length unverified", "started over: …".
  public var note: String?
  /// The runner that owns the job while it is active.
  public var runner: UUID?
  /// The group of the job.
  public var group: GroupLabel?
  /// The generation of the part file. Always the first one if the job store is one machine's.
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

  /// The names of all part files that the job may have: also the one of the generation that is being copied.
  public var partFileNames: [String] { [part.number, part.source].compactMap { $0.map(partFileName(of:)) } }

  /// Returns the name of the part file of a generation.
  public func partFileName(of generation: UInt32) -> String {
    PartName.text(uuid.text, stem: specification.options.partStem, generation: generation)
  }

  /// Returns the hidden name of a part file for a UUID.
  public static func partFileName(_ uuid: UUID) -> String { PartName.text(uuid.text, stem: nil) }

  /// Returns the UUID of the job whose part file has this name, hidden or visible; `nil` for any other name.
  public static func ofPartFile(named name: String) -> UUID? { PartName.uuid(of: name) }

  /// The digest of the whole file.
  public var knownDigest: SourcedDigest? { digest.map { SourcedDigest($0, digestSource ?? .given) } }

  /// The absolute path of the target, once the name is fixed.
  public var target: String? { fileName.map { PathText.join(specification.directory, $0) } }

  /// The absolute path of the part file.
  public var partFile: String { PathText.join(specification.place.partPlace.path, partFileName) }

  /// The absolute path of the part file beside its target, just before the publish.
  public var partFileAtTarget: String { PathText.join(specification.directory, partFileName) }
}
