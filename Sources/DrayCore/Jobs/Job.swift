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
  /// The file name from the job's own URL, while the job is fetched from a mirror. The target gets this name if the
  /// server suggests none. The store does not keep this name.
  public var ownName: String?
  /// The job's own request, while the job is fetched from a mirror. The store does not keep this copy.
  @Boxed public var ownRequest: TransferRequest?
  /// The bytes that survive a crash, as last recorded.
  public var checkpoint: Checkpoint
  /// The last answer.
  @Boxed public var response: ResponseRecord?
  /// The identity of the part file that a started publish is about to rename; `nil` if none has started.
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
  /// The generation of the part file, which changes when another machine takes over. Always the first one in a store of
  /// one machine.
  public var part = PartGeneration()

  /// Creates a queued job from a specification.
  public init(id: JobID, uuid: UUID, specification: JobSpecification, addedAt: Double) {
    self.id = id
    self.uuid = uuid
    self.specification = specification
    self.addedAt = addedAt
    state = .queued
    fileName = specification.output
    checkpoint = Checkpoint()
    attempts = 0
    retry = RetryRecord()
  }

  /// The name of the part file.
  public var partFileName: String { partFileName(of: part.number) }

  /// The names of all part files that the job may have, including the one from which it is being copied.
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

  /// The absolute path of the target, once the name is fixed.
  public var target: String? { fileName.map { PathText.join(specification.directory, $0) } }

  /// The absolute path of the part file.
  public var partFile: String { PathText.join(specification.place.partPlace.path, partFileName) }

  /// The absolute path of the part file beside its target, just before the publish.
  public var partFileAtTarget: String { PathText.join(specification.directory, partFileName) }
}
