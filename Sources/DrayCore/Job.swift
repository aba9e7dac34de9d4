// A job: one file to fetch, with all that is known of it.

public import struct Foundation.UUID

/// The number that people call a job by; never used twice in one store.
public typealias JobID = Int64

/// Which file on which disk: enough to recognise a part file after its rename to the target.
public struct FileIdentity: Sendable, Equatable, Codable {
  /// The device number.
  public var device: UInt64
  /// The inode number.
  public var inode: UInt64
  /// The length in bytes.
  public var size: Int64
  /// The time of the last change of its bytes, in nanoseconds since 1970.
  public var modified: Int64

  /// Makes an identity.
  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Whether this, which is there now, is the file that was `recorded` under a name of the same directory.
  ///
  /// The number of a device may be another after each boot; then the time of the last change must be the same.
  public func isSameFile(as recorded: FileIdentity) -> Bool {
    inode == recorded.inode && size == recorded.size && (device == recorded.device || isOfSameTime(as: recorded))
  }

  /// Whether this, which is there now, is the file that was `recorded`, and nobody has changed it since.
  public func isUnchanged(since recorded: FileIdentity) -> Bool {
    isSameFile(as: recorded) && isOfSameTime(as: recorded)
  }

  /// Not all file systems keep the time as it was while they had the file in memory: some keep whole seconds only (ext4 with small
  /// inodes), FAT every other one.
  private func isOfSameTime(as recorded: FileIdentity) -> Bool {
    let second: Int64 = 1_000_000_000
    let difference = recorded.modified.subtractingReportingOverflow(modified)
    return difference.partialValue == 0
      || modified % second == 0 && !difference.overflow && (0..<2 * second).contains(difference.partialValue)
  }
}

/// What to fetch and where to put it: a job before it has a number.
public struct JobSpecification: Sendable, Equatable {
  /// The request.
  public var request: TransferRequest
  /// What is wanted beside it.
  public var options: JobOptions
  /// The directory of the target, an absolute path.
  public var directory: String
  /// How many components at the end of ``directory`` came from a document or a list (``DirectoryPlace``).
  public var foreignDepth: Int
  /// The file name that the user gave (`-o`), one component; `nil` leaves it to the server.
  public var output: String?
  /// Larger is sooner.
  public var priority: Int
  /// Not to be begun before this time, in seconds since 1970.
  public var startAt: Double?
  /// The jobs that must be complete before it starts. Of a job that is in the store these are in the store's own table,
  /// and this is empty.
  public var after: [JobID]

  /// Makes a specification.
  public init(
    request: TransferRequest, options: JobOptions = JobOptions(), directory: String, foreignDepth: Int = 0,
    output: String? = nil, priority: Int = 0, startAt: Double? = nil, after: [JobID] = []
  ) {
    self.request = request
    self.options = options
    self.directory = directory
    self.foreignDepth = foreignDepth
    self.output = output
    self.priority = priority
    self.startAt = startAt
    self.after = after
  }

  /// The directory of the target, as it is to be opened.
  public var place: DirectoryPlace { DirectoryPlace(directory, foreignDepth: foreignDepth) }
}

/// What the last answer told of the file.
public struct ResponseRecord: Sendable, Equatable, Codable {
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  /// The URLs on the way there, the first request's first; empty where there was no redirect.
  public var redirects: [String]
  /// The head of the answer.
  public var head: ResponseHead
  /// The time of the answer, in seconds since 1970.
  public var time: Double
  /// The same redirects with what they said; `nil` in records of earlier versions.
  public var hops: [RedirectHop]?
  /// The connection that it came over; `nil` in records of earlier versions.
  public var connection: ConnectionRecord?

  /// Makes a record.
  public init(
    finalURL: RequestURL, redirects: [String], head: ResponseHead, time: Double, hops: [RedirectHop]? = nil,
    connection: ConnectionRecord? = nil
  ) {
    self.finalURL = finalURL
    self.redirects = redirects
    self.head = head
    self.time = time
    self.hops = hops
    self.connection = connection
  }
}

/// What is durably on disk of a job, and of which version of the file.
public struct Checkpoint: Sendable, Equatable {
  /// The byte ranges of the part file that are on disk for certain.
  public var segments: SegmentSet
  /// What is known of their bytes. A job that comes from the store has them apart, as few need them.
  public var sums: BlockSums
  /// The length of the whole file, where it is known.
  public var size: Int64?
  /// What identifies the version that the bytes are of.
  public var validators: Validators
  /// What the server says that the whole of this version hashes to.
  public var offered: [SourcedDigest]

  /// Makes a checkpoint; the default is that of a job that has nothing.
  public init(
    segments: SegmentSet = SegmentSet(), sums: BlockSums = BlockSums(), size: Int64? = nil,
    validators: Validators = Validators(), offered: [SourcedDigest] = []
  ) {
    self.segments = segments
    self.sums = sums
    self.size = size
    self.validators = validators
    self.offered = offered
  }
}

/// How often a job has been tried and how far it came, the memory of the retry policy.
public struct RetryRecord: Sendable, Equatable, Codable {
  /// Retries used since the last new ground.
  public var used: Int
  /// The furthest position ever reached.
  public var furthest: Int64

  /// Makes a record; the default is that of a job never tried.
  public init(used: Int = 0, furthest: Int64 = 0) {
    self.used = used
    self.furthest = furthest
  }
}

/// A job as the store has it.
public struct Job: Sendable, Equatable, Identifiable {
  /// The number for people.
  public var id: JobID
  /// The name of its files.
  public var uuid: UUID
  /// The state.
  public var state: JobState
  /// What was asked for.
  public var specification: JobSpecification
  /// The name of the target once it is fixed; it never changes after that.
  public var fileName: String?
  /// The name where the server suggests none and it is fetched from a mirror: that of its own URL. Not stored.
  public var ownName: String?
  /// Its own request where it is fetched from a mirror. Not stored.
  public var ownRequest: TransferRequest?
  /// What is durably on disk.
  public var checkpoint: Checkpoint
  /// The last answer.
  public var response: ResponseRecord?
  /// Where a publish that has begun will end: the part file's identity before its rename.
  public var publishing: FileIdentity?
  /// The target as it was published.
  public var published: FileIdentity?
  /// What the whole file hashes to, as computed or checked.
  public var digest: DigestValue?
  /// Who had said so.
  public var digestSource: DigestSource?
  /// How many times it was tried.
  public var attempts: Int
  /// The memory of the retry policy.
  public var retry: RetryRecord
  /// Not to be tried before this time, in seconds since 1970.
  public var notBefore: Double?
  /// When it was added, in seconds since 1970.
  public var addedAt: Double
  /// When it ended, in seconds since 1970.
  public var finishedAt: Double?
  /// What went wrong last.
  public var failure: Failure?
  /// What is worth knowing of a job that went well: "length unverified", "started over: …".
  public var note: String?
  /// The runner that holds it while it is active.
  public var runner: UUID?

  /// Makes a queued job out of a specification.
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

  /// The name of the part file (DESIGN: `.<UUID>.part`), in the directory of the target.
  public var partFileName: String { Job.partFileName(uuid) }

  /// The part file's name for a UUID.
  public static func partFileName(_ uuid: UUID) -> String { ".\(uuid.uuidString).part" }

  /// The UUID of the job whose part file has this name; `nil` for other names.
  public static func ofPartFile(named name: String) -> UUID? {
    guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
    return UUID(uuidString: String(name.dropFirst().dropLast(5))).flatMap { partFileName($0) == name ? $0 : nil }
  }

  /// What the whole file hashes to, and who had said so.
  public var knownDigest: SourcedDigest? { digest.map { SourcedDigest($0, digestSource ?? .given) } }

  /// The absolute path of the target, where its name is fixed.
  public var target: String? { fileName.map { Job.join(specification.directory, $0) } }

  /// The absolute path of the part file.
  public var partFile: String { Job.join(specification.directory, partFileName) }

  /// A directory and a name as one path.
  public static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }
}
