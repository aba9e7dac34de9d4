// What lists and details say of every job: one definition for tables and JSON.

internal import DrayKit
import Foundation
internal import TerminalUI

/// A job as it is shown: URLs without secrets, live numbers where a runner has it.
struct JobFacts {
  var id: JobID
  var uuid: String
  var url: String
  var finalURL: String?
  var state: JobState
  var target: String?
  var partFile: String?
  var received: Int64
  var size: Int64?
  var rate: Double?
  var priority: Int
  var addedAt: Double
  var finishedAt: Double?
  var notBefore: Double?
  var startAt: Double?
  var after: [JobID]
  var attempts: Int
  var digest: String?
  var digestSource: String?
  var note: String?
  var failure: Failure?

  /// A row of the store, with what its runner shows.
  init(_ summary: JobSummary, live: ProgressEntry?) {
    let live = summary.state == .active && live?.phase != .sending ? live : nil
    let isComplete = summary.state == .complete
    id = summary.id
    uuid = summary.uuidText
    url = ShownURL.text(summary.url)
    finalURL = summary.finalURL.map(ShownURL.text)
    state = summary.state
    target = summary.target
    received = live?.received ?? (isComplete ? summary.size ?? summary.received : summary.received)
    size = live.map { $0.size ?? summary.size } ?? summary.size
    rate = live?.rate
    let mayHavePart = !summary.state.isFinished && (received > 0 || summary.state == .active)
    partFile = mayHavePart && System.kind(summary.partFile) == .file ? summary.partFile : nil
    priority = summary.priority
    addedAt = summary.addedAt
    finishedAt = summary.finishedAt
    notBefore = summary.state.isFinished ? nil : summary.notBefore
    startAt = summary.startAt
    after = summary.waitsFor
    attempts = summary.attempts
    digest = summary.digest
    digestSource = summary.digest == nil ? nil : summary.digestSource?.rawValue ?? DigestSource.given.rawValue
    note = summary.note
    failure = summary.failureText == nil ? nil : summary.failure
  }

  /// Writes the fields of a job into an object that was begun; a field never changes its meaning.
  func writeFields(to json: inout JSONText) {
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
    json.field("startAt", seconds: startAt)
    json.array("after", after) { $0.value($1) }
    json.field("attempts", attempts)
    json.field("digest", digest)
    json.field("digestSource", digestSource)
    json.field("note", note)
    json.field("error", failure: failure)
  }
}

extension JobFacts {
  /// A whole job, with what its runner shows.
  init(_ job: Job, after: [JobID] = [], live: ProgressEntry?) {
    let live = job.state == .active && live?.phase != .sending ? live : nil
    id = job.id
    uuid = job.uuid.uuidString
    url = job.specification.request.url.description
    finalURL = job.response?.finalURL.description
    state = job.state
    target = job.target
    let stored = job.checkpoint.segments.count
    received = live?.received ?? (job.state == .complete ? job.published?.size ?? stored : stored)
    size = live.map { $0.size ?? job.checkpoint.size } ?? job.checkpoint.size
    rate = live?.rate
    partFile = !job.state.isFinished && System.kind(job.partFile) == .file ? job.partFile : nil
    priority = job.specification.priority
    addedAt = job.addedAt
    finishedAt = job.finishedAt
    notBefore = job.state.isFinished ? nil : job.notBefore
    startAt = job.specification.startAt
    self.after = after
    attempts = job.attempts
    digest = job.digest?.description
    digestSource = job.knownDigest?.source.rawValue
    note = job.note
    failure = job.failure
  }
}

/// URLs as people see them.
enum ShownURL {
  /// The URL without its secrets; most have none, which is quickly seen.
  static func text(_ url: String) -> String {
    let mayHaveSecrets = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    return mayHaveSecrets ? URLRedaction.redacted(url) : url
  }

  /// A name for a job whose file has none yet: the URL's last part, or its host, as long as a name of a file may be.
  static func name(_ url: String) -> String {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
    let last = path.split(separator: UInt8(ascii: "/")).last ?? path
    return TextSafety.escaped(TextFit.truncatedMiddle(String(Substring(last)), width: FileName.limit))
  }
}
