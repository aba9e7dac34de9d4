// What lists and details say of every job: one definition for tables and JSON.

public import DrayCore
internal import DrayKit
public import DrayStore
internal import FoundationEssentials

/// A job as it is shown: URLs without secrets, unless they are asked for, current numbers where a runner has it.
public struct JobFacts: Sendable {
  /// The number of the job, for people.
  public var id: JobID
  /// The name of its part file, and what identifies it anywhere.
  public var uuid: String
  /// The URL as it was given.
  public var url: String
  /// The URL that answered, after redirects.
  public var finalURL: String?
  /// Where the job is in its life.
  public var state: JobState
  /// The path of the file; `nil` as long as it has no name.
  public var target: String?
  /// The path of the part file; `nil` if there is none.
  public var partFile: String?
  /// Bytes that are here.
  public var received: Int64
  /// The length of the file in bytes; `nil` if it is unknown.
  public var size: Int64?
  /// Bytes a second; `nil` of a job that is not transferred.
  public var rate: Double?
  /// Higher runs first.
  public var priority: Int
  /// When it was added, in seconds since 1970.
  public var addedAt: Double
  /// When it ended, in seconds since 1970.
  public var finishedAt: Double?
  /// The time before which it is not tried again, in seconds since 1970.
  public var notBefore: Double?
  /// The time before which it does not start, in seconds since 1970.
  public var startAt: Double?
  /// The hold on its origin; it may be over. `nil` for a job that has ended.
  public var hold: OriginHold?
  /// The jobs that it waits for.
  public var after: [JobID]
  /// How many attempts were made.
  public var attempts: Int
  /// `ALGORITHM=HEX` of the file.
  public var digest: String?
  /// Where the digest is from; `nil` if there is none.
  public var digestSource: String?
  /// What is worth knowing of a job that went well.
  public var note: String?
  /// The group that it belongs to; `nil` if there is none.
  public var group: GroupLabel?
  /// Why it stopped.
  public var failure: Failure?
  /// The front end's names, for the advice in the failure.
  private var names: Advice.Names

  /// A row of the store, with what its runner shows.
  /// - Parameters:
  ///   - names: the front end's names, for the advice in a failure.
  ///   - reveals: whether URLs are whole, with their secrets.
  ///   - isFile: whether there is a regular file at a path; asked for part files only.
  public init(
    _ summary: JobSummary, live: ProgressEntry?, names: Advice.Names, reveals: Bool = false, isFile: (String) -> Bool
  ) {
    self.names = names
    let live = summary.state == .active && live?.phase != .sending ? live : nil
    let isComplete = summary.state == .complete
    id = summary.id
    uuid = summary.uuidText
    url = ShownURL.text(summary.url, reveals: reveals)
    finalURL = summary.finalURL.map { ShownURL.text($0, reveals: reveals) }
    state = summary.state
    target = summary.target
    received = live?.received ?? (isComplete ? summary.size ?? summary.received : summary.received)
    size = live.map { $0.size ?? summary.size } ?? summary.size
    rate = live?.rate
    let mayHavePart = !summary.state.isFinished && (received > 0 || summary.state == .active)
    partFile = mayHavePart && isFile(summary.partFile) ? summary.partFile : nil
    priority = summary.priority
    addedAt = summary.addedAt
    finishedAt = summary.finishedAt
    notBefore = summary.state.isFinished ? nil : summary.notBefore
    hold = summary.state.isFinished ? nil : summary.hold
    startAt = summary.startAt
    after = summary.waitsFor
    attempts = summary.attempts
    digest = summary.digest
    digestSource = summary.digest == nil ? nil : summary.digestSource?.rawValue ?? DigestSource.given.rawValue
    note = summary.note
    group = summary.group
    failure = summary.failureText == nil ? nil : summary.failure
  }

  /// The job as a line.
  public var line: JSONText {
    var json = JSONText()
    json.object(writeFields)
    json.endLine()
    return json
  }

  /// Writes the fields of a job into an object that was begun; a field never changes its meaning.
  public func writeFields(to json: inout JSONText) {
    json.field("id", id)
    json.field("uuid", uuid)
    json.field("url", url)
    json.field("finalURL", finalURL)
    json.field("state", state.rawValue)
    json.field("target", target)
    json.field("partFile", partFile)
    json.field("received", received)
    json.field("size", size)
    json.field("rate", rate.map { Int64($0) })
    json.field("priority", priority)
    json.field("addedAt", seconds: addedAt)
    json.field("finishedAt", seconds: finishedAt)
    json.field("notBefore", seconds: notBefore)
    if let hold {
      json.object("hold") { json in
        json.field("origin", hold.origin)
        json.field("until", seconds: hold.until)
        json.field("since", seconds: hold.since)
        json.field("job", hold.job)
        json.field("askedBy", hold.askedBy)
        json.field("status", hold.status.map { Int64($0) })
      }
    } else {
      json.field("hold", String?.none)
    }
    json.field("startAt", seconds: startAt)
    json.array("after", after) { $0.value($1) }
    json.field("attempts", attempts)
    json.field("digest", digest)
    json.field("digestSource", digestSource)
    json.field("note", note)
    if let group {
      json.object("group") { json in
        json.field("id", group.id)
        json.field("name", group.name)
      }
    } else {
      json.field("group", String?.none)
    }
    json.field("error", failure: failure, names)
  }
}

extension JobFacts {
  /// A whole job, with what its runner shows.
  /// - Parameters:
  ///   - hold: the hold on its origin.
  ///   - reveals: whether URLs are whole, with their secrets.
  ///   - isFile: whether there is a regular file at a path; asked for the part file only.
  public init(
    _ job: Job, after: [JobID] = [], hold: OriginHold? = nil, live: ProgressEntry?, names: Advice.Names,
    reveals: Bool = false, isFile: (String) -> Bool
  ) {
    self.names = names
    let live = job.state == .active && live?.phase != .sending ? live : nil
    id = job.id
    uuid = job.uuid.uuidString
    url = ShownURL.text(job.specification.request.url.string, reveals: reveals)
    finalURL = job.response.map { ShownURL.text($0.finalURL.string, reveals: reveals) }
    state = job.state
    target = job.target
    let stored = job.checkpoint.segments.count
    received = live?.received ?? (job.state == .complete ? job.published?.size ?? stored : stored)
    size = live.map { $0.size ?? job.checkpoint.size } ?? job.checkpoint.size
    rate = live?.rate
    partFile = !job.state.isFinished && isFile(job.partFile) ? job.partFile : nil
    priority = job.specification.priority
    addedAt = job.addedAt
    finishedAt = job.finishedAt
    notBefore = job.state.isFinished ? nil : job.notBefore
    self.hold = job.state.isFinished ? nil : hold
    startAt = job.specification.startAt
    self.after = after
    attempts = job.attempts
    digest = job.digest?.description
    digestSource = job.knownDigest?.source.rawValue
    note = job.note
    group = job.group
    failure = job.failure
  }
}
