// What a list shows of a job: a light row, without any JSON read or URL parsed.

public import DrayCore

public import struct FoundationEssentials.UUID

/// A job as far as a list needs it.
public struct JobSummary: Sendable, Equatable, Identifiable {
  /// The number for people.
  public var id: JobID
  /// The name of its files, as text.
  public var uuidText: String
  /// The state.
  public var state: JobState
  /// The URL as it is sent; its secrets are in it.
  public var url: String
  /// The URL that answered; its secrets are in it.
  public var finalURL: String?
  /// The directory of the target.
  public var directory: String
  /// How many components at its end the user did not name (``DirectoryPlace``).
  public var foreignDepth: Int
  /// The name of the target once it is fixed.
  public var fileName: String?
  /// Bytes that are durably there.
  public var received: Int64
  /// The length of the whole file, if known.
  public var size: Int64?
  /// Higher runs first.
  public var priority: Int
  /// When it was added, in seconds since 1970.
  public var addedAt: Double
  /// When it ended, in seconds since 1970.
  public var finishedAt: Double?
  /// How many times it was tried.
  public var attempts: Int
  /// What the whole file hashes to, as text.
  public var digest: String?
  /// Who had said so.
  public var digestSource: DigestSource?
  /// What went wrong last, as the store's JSON.
  public var failureText: String?
  /// The UUID of the runner that holds it, as text.
  public var runnerText: String?
  /// Not to be tried before this time, in seconds since 1970.
  public var notBefore: Double?
  /// What is worth knowing of it.
  public var note: String?
  /// Not to be begun before this time, in seconds since 1970.
  public var startAt: Double?
  /// The jobs that it waits for: those that are not complete. Of a failed one, the job that made it fail is among them.
  public var waitsFor: [JobID]
  /// Its place among the jobs of its priority.
  public var rank: Double
  /// Whether it is the one errand of a `get`.
  public var isOneOff: Bool
  /// The group that it belongs to.
  public var group: GroupLabel?
  /// What the name of the part file begins with, if it is visible.
  public var partStem: String?
  /// The hold on its origin, as the store's JSON; it may be over.
  public var holdText: String?
  /// The hold that it overrode, likewise.
  public var passText: String?

  /// The directory of the target, as it is to be opened.
  public var place: DirectoryPlace { DirectoryPlace(directory, foreignDepth: foreignDepth) }
  /// The name of its files.
  public var uuid: UUID? { UUID(uuidString: uuidText) }
  /// The runner that holds it.
  public var runner: UUID? { runnerText.flatMap(UUID.init(uuidString:)) }
  /// What went wrong last; read at each call.
  public var failure: Failure? { failureText.flatMap { try? JSONColumn<Failure>.value($0) } }
  /// The hold on its origin, which may be over; read at each call.
  public var hold: OriginHold? { holdText.flatMap { try? JSONColumn<OriginHold>.value($0) } }
  /// The hold that it overrode; read at each call.
  public var passedHold: OriginHold? { passText.flatMap { try? JSONColumn<OriginHold>.value($0) } }
  /// What the whole file hashes to, and who had said so; read at each call.
  public var knownDigest: SourcedDigest? {
    digest.flatMap { try? DigestValue.parse($0) }.map { SourcedDigest($0, digestSource ?? .given) }
  }
  /// The absolute path of the target, where its name is fixed.
  public var target: String? { fileName.map { PathText.join(directory, $0) } }
  /// The absolute path of the part file.
  public var partFile: String { PathText.join(directory, PartName.text(uuidText, stem: partStem)) }

  /// The summary of a job, for a store that has no quicker way to it.
  /// - Parameters:
  ///   - rank: its place among the jobs of its priority.
  ///   - prerequisites: the jobs that it waits for, ascending.
  public init(_ job: Job, rank: Double, waitsFor prerequisites: [JobID]) {
    id = job.id
    uuidText = job.uuid.uuidString
    state = job.state
    url = job.specification.request.url.string
    finalURL = job.response?.finalURL.string
    directory = job.specification.directory
    foreignDepth = job.specification.foreignDepth
    fileName = job.fileName
    received = job.checkpoint.segments.count
    size = job.checkpoint.size
    priority = job.specification.priority
    self.rank = rank
    addedAt = job.addedAt
    finishedAt = job.finishedAt
    attempts = job.attempts
    digest = job.digest?.description
    digestSource = job.digestSource
    failureText = job.failure.flatMap { try? JSONColumn.text($0) }
    runnerText = job.runner?.uuidString
    notBefore = job.notBefore
    note = job.note
    startAt = job.specification.startAt
    waitsFor = prerequisites
    isOneOff = job.specification.options.isOneOff ?? false
    group = job.group
    partStem = job.specification.options.partStem
  }
}
