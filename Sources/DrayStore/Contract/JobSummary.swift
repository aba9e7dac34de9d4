public import DrayCore

public import struct FoundationEssentials.UUID

/// The fields of a job that lists show. Reading a summary parses no JSON and no URL.
public struct JobSummary: Sendable, Equatable, Identifiable {
  public var id: JobID
  /// The UUID that names the job's files, as text.
  public var uuidText: String
  public var state: JobState
  /// The URL as sent, with its secrets.
  public var url: String
  /// The URL that answered, with its secrets.
  public var finalURL: String?
  public var directory: String
  /// The number of components at the end of the directory's path that the user did not name (``DirectoryPlace``).
  public var foreignDepth: Int
  /// The name of the target, once it is fixed.
  public var fileName: String?
  /// A readable name for a file that is named by its digest.
  public var title: String?
  /// The number of bytes that are durably on disk.
  public var received: Int64
  /// The length of the whole file, if known.
  public var size: Int64?
  /// The priority; jobs with a higher one run first.
  public var priority: Int
  /// The time at which the job was added, in seconds since 1970.
  public var addedAt: Double
  /// The time at which the job ended, in seconds since 1970.
  public var finishedAt: Double?
  public var attempts: Int
  /// The digest of the whole file, as text.
  public var digest: String?
  public var digestSource: DigestSource?
  /// The last failure, as the store's JSON.
  public var failureText: String?
  /// The UUID of the runner that owns the job.
  public var runnerText: String?
  /// The earliest time of the next attempt, in seconds since 1970.
  public var notBefore: Double?
  public var note: String?
  /// The start time that the user chose, in seconds since 1970.
  public var startAt: Double?
  /// The window as text; `nil` for all times.
  public var windowText: String?
  /// The prerequisites that are not complete. For a failed job, they include the job that made it fail.
  public var waitsFor: [JobID]
  /// The position among the jobs of the same priority.
  public var rank: Double
  /// Whether the job was created by a `get`.
  public var isOneOff: Bool
  public var group: GroupLabel?
  public var queue: String?
  /// The stem of the part file's name, if the file is visible.
  public var partStem: String?
  /// The directory of the part file, if it differs from the target's.
  public var partDirectory: String?
  /// The hold on the job's origin, as the store's JSON; the hold may be over.
  public var holdText: String?
  /// The hold for which the job has a pass, as the store's JSON.
  public var passText: String?
  /// The labels of the job, as the store's JSON (an array of strings); `nil` if it has none.
  public var labelsText: String?

  var partGeneration: UInt32 = 0

  /// The directories of the target and of the part file, for opening them.
  package var place: DirectoryPlace { DirectoryPlace(directory, foreignDepth: foreignDepth, parts: partDirectory) }
  public var uuid: UUID? { UUID(uuidString: uuidText) }
  public var runner: UUID? { runnerText.flatMap(UUID.init(uuidString:)) }
  /// The last failure, parsed at each call.
  public var failure: Failure? { failureText.flatMap { try? JSONColumn<Failure>.value($0) } }
  /// The window, parsed at each call.
  public var window: TransferWindow? { windowText.flatMap { try? TransferWindow.parse($0) } }
  /// The hold on the job's origin, parsed at each call; the hold may be over.
  public var hold: OriginHold? { holdText.flatMap { try? JSONColumn<OriginHold>.value($0) } }
  /// The hold for which the job has a pass, parsed at each call.
  public var passedHold: OriginHold? { passText.flatMap { try? JSONColumn<OriginHold>.value($0) } }
  /// The labels, parsed at each call.
  public var labels: [JobLabel] { labelsText.flatMap { try? JSONColumn<[JobLabel]>.value($0) } ?? [] }
  /// The digest of the whole file, parsed at each call.
  public var knownDigest: SourcedDigest? {
    digest.flatMap { try? DigestValue.parse($0) }.map { SourcedDigest($0, digestSource ?? .given) }
  }
  /// The name to show: the title, else the target's name; `nil` until that is fixed.
  public var shownName: String? { title ?? fileName }
  /// The absolute path of the target; `nil` until its name is fixed.
  public var target: String? { fileName.map { PathText.join(directory, $0) } }
  public var partFile: String { PathText.join(place.partPlace.path, partName) }
  /// The path of the part file beside its target, just before the publish.
  public var partFileAtTarget: String { PathText.join(directory, partName) }
  private var partName: String { PartName.text(uuidText, stem: partStem, generation: partGeneration) }

  /// Creates the summary of a job from the description by another machine's service. Fields that the service does not
  /// report stay empty.
  package init(
    id: JobID, state: JobState, url: String, directory: String, fileName: String?, failure: Failure? = nil
  ) {
    (self.id, self.state, self.url, self.directory, self.fileName) = (id, state, url, directory, fileName)
    failureText = failure.flatMap { try? JSONColumn.text($0) }
    (uuidText, foreignDepth, received, priority, addedAt, attempts) = ("", 0, 0, 0, 0, 0)
    (waitsFor, rank, isOneOff) = ([], Double(id), false)
  }

  /// Creates the summary of a job, for stores that cannot read summaries faster.
  /// - Parameters:
  ///   - rank: The position among the jobs of the same priority.
  ///   - prerequisites: The jobs that this job waits for, in ascending order.
  package init(_ job: Job, rank: Double, waitsFor prerequisites: [JobID]) {
    id = job.id
    uuidText = job.uuid.uuidString
    state = job.state
    url = job.specification.request.url.string
    finalURL = job.response?.finalURL.string
    directory = job.specification.directory
    foreignDepth = job.specification.foreignDepth
    fileName = job.fileName
    title = job.title
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
    windowText = job.specification.window?.description
    waitsFor = prerequisites
    isOneOff = job.specification.options.isOneOff ?? false
    group = job.group
    partStem = job.specification.options.partStem
    queue = job.specification.queue
    partGeneration = job.part.number
    partDirectory = job.specification.options.partDirectory
    labelsText = job.specification.options.labels.flatMap { try? JSONColumn.text($0) }
  }
}
