// The facts about a job in lists and details, for tables and JSON.

package import DrayCore
package import DrayKit
package import DrayStore
internal import FoundationEssentials

/// A job for display: URLs without secrets, unless they are requested, and current numbers if a runner holds the job.
package struct JobFacts: Sendable {
  /// The number of the job, for people.
  package var id: JobID
  /// The UUID, which identifies the job anywhere and names its part file.
  package var uuid: String
  package var url: String
  /// The URL that answered, after redirects.
  package var finalURL: String?
  package var state: JobState
  /// The path of the file; `nil` while it has no name.
  package var target: String?
  /// A readable name for a file that is named by its digest.
  package var title: String?
  package var partFile: String?
  /// The number of received bytes.
  package var received: Int64
  /// The length of the file in bytes; `nil` if unknown.
  package var size: Int64?
  /// The rate in bytes per second; `nil` if the job is not being transferred.
  package var rate: Double?
  /// The name of the runner that transfers it or, while it is stopped or waits for a retry, of the one whose attempt
  /// failed.
  package var runner: String?
  /// The priority; higher runs first.
  package var priority: Int
  /// The time of its addition, in seconds since 1970.
  package var addedAt: Double
  /// The time of its end, in seconds since 1970.
  package var finishedAt: Double?
  /// The earliest time of the next try, in seconds since 1970.
  package var notBefore: Double?
  /// The earliest time of its start, in seconds since 1970.
  package var startAt: Double?
  /// The times at which it is transferred, as text; `nil` for all.
  package var between: String?
  /// The hold on its origin, which may have expired; `nil` if the job has ended.
  package var hold: OriginHold?
  /// The reason to wait, if it does not just wait for its turn.
  package var waits: WaitReason?
  package var labels: [JobLabel]
  /// The jobs for which it waits.
  package var after: [JobID]
  package var attempts: Int
  /// `ALGORITHM=HEX` of the file.
  package var digest: String?
  package var digestSource: String?
  /// A remark on a job that succeeded.
  package var note: String?
  package var queue: String?
  package var group: GroupLabel?
  package var failure: Failure?
  /// The front end's names, for the advice in the failure.
  private var names: Advice.Names

  /// Creates facts from a row of the store and the state of its runner. The last rate of a silent runner does not count.
  /// - Parameters:
  ///   - names: The front end's names, for the advice in a failure.
  ///   - reveals: Whether URLs include their secrets.
  ///   - waits: The context that gives the reason to wait; `nil` omits the reason.
  ///   - isFile: Whether there is a regular file at a path; called for part files only.
  package init(
    _ summary: JobSummary, live: ProgressEntry?, names: Advice.Names, reveals: Bool = false,
    waits context: WaitContext? = nil, isFile: (String) -> Bool
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
    title = summary.title.map(TextSafety.escaped)
    received = live?.received ?? (isComplete ? summary.size ?? summary.received : summary.received)
    size = live.map { $0.size ?? summary.size } ?? summary.size
    rate = live?.rate
    let mayHavePart = !summary.state.isFinished && (received > 0 || summary.state == .active)
    partFile = mayHavePart ? JobFacts.first([summary.partFile, summary.partFileAtTarget], isFile) : nil
    priority = summary.priority
    addedAt = summary.addedAt
    finishedAt = summary.finishedAt
    notBefore = summary.state.isFinished ? nil : summary.notBefore
    hold = summary.state.isFinished ? nil : summary.hold
    startAt = summary.startAt
    between = summary.windowText
    waits = context?.reason(summary)
    if case .lease = waits { rate = nil }
    labels = summary.labelsText == nil ? [] : summary.labels
    after = summary.waitsFor
    attempts = summary.attempts
    digest = summary.digest
    digestSource = summary.digest == nil ? nil : summary.digestSource?.rawValue ?? DigestSource.given.rawValue
    note = summary.note
    queue = summary.queue
    group = summary.group
    failure = summary.failureText == nil ? nil : summary.failure
    runner = live?.runner ?? (state == .active ? nil : failure?.runner)
  }

  /// Returns the first path with a file. Without a directory for unfinished files, both paths are one.
  private static func first(_ paths: [String], _ isFile: (String) -> Bool) -> String? {
    (paths[0] == paths[1] ? [paths[0]] : paths).first(where: isFile)
  }

  package var line: JSONText {
    var json = JSONText()
    json.object(writeFields)
    json.endLine()
    return json
  }

  /// Writes the fields of a job into an open object. A field never changes its meaning.
  package func writeFields(to json: inout JSONText) {
    json.field("id", id)
    json.field("uuid", uuid)
    json.field("url", url)
    json.field("finalURL", finalURL)
    json.field("state", state.rawValue)
    json.field("target", target)
    json.field("title", title)
    json.field("partFile", partFile)
    json.field("received", received)
    json.field("size", size)
    json.field("rate", rate.map { Int64($0) })
    json.field("runner", runner)
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
    json.field("between", between)
    json.array("after", after) { $0.value($1) }
    json.field("waits", waits: waits)
    json.array("labels", labels) { $0.value($1.text) }
    json.field("attempts", attempts)
    json.field("digest", digest)
    json.field("digestSource", digestSource)
    json.field("note", note)
    json.field("queue", queue)
    if let group {
      json.object("group") { json in
        json.field("id", group.id)
        json.field("name", SourceReference.shown(group.name))
      }
    } else {
      json.field("group", String?.none)
    }
    json.field("error", failure: failure, names)
  }
}

extension JobFacts {
  /// Creates facts from a whole job and the state of its runner. The job knows more about the bytes on disk than its
  /// summary.
  /// - Parameters:
  ///   - hold: The hold on its origin.
  ///   - reveals: Whether URLs include their secrets.
  ///   - waits: The context that gives the reason to wait; `nil` omits the reason.
  ///   - isFile: Whether there is a regular file at a path; called for the part file only.
  package init(
    _ job: Job, after: [JobID] = [], hold: OriginHold? = nil, live: ProgressEntry?, names: Advice.Names,
    reveals: Bool = false, waits context: WaitContext? = nil, isFile: (String) -> Bool
  ) {
    self.init(
      JobSummary(job, rank: 0, waitsFor: after), live: live, names: names, reveals: reveals, isFile: { _ in false })
    if job.state != .active || live == nil || live?.phase == .sending {
      let stored = job.checkpoint.segments.count
      received = job.state == .complete ? job.published?.size ?? stored : stored
    }
    partFile = job.state.isFinished ? nil : JobFacts.first([job.partFile, job.partFileAtTarget], isFile)
    self.hold = job.state.isFinished ? nil : hold
    waits = context?.reason(job, waitsFor: after, hold: hold)
    if case .lease = waits { rate = nil }
  }
}
