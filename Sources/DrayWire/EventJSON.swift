// Events of `--progress json`, one per line. A field never changes its meaning; a change of meaning changes `v`.

package import DrayCore
package import DrayKit
package import DrayStore
internal import FoundationEssentials

package enum EventJSON {
  /// - Parameter names: The front end's names, for the advice in failures.
  package static func line(_ event: JobEvent, _ names: Advice.Names) -> JSONText {
    line(name(event.kind), event.id, event.time) { write(event.kind, names, to: &$0) }
  }

  private static func write(_ kind: JobEvent.Kind, _ names: Advice.Names, to json: inout JSONText) {
    switch kind {
    case .added, .paused, .removed: break
    case .started(let attempt, _, let title):
      json.field("attempt", attempt)
      json.field("title", title)
    case .redirected(let status, let from, let to):
      json.field("status", status)
      json.field("from", from.description)
      json.field("to", to.description)
    case .response(let response, let from, let size): write(response, from, size, to: &json)
    case .restarted(let reason):
      json.field("reason", reason.text + (reason.advice.map { "; " + $0.text(names) } ?? ""))
    case .damaged(let bytes): json.field("bytes", bytes)
    case .adopted(let adoption): adoption.writeFields(to: &json)
    case .seeded(let seeding): seeding.writeFields(to: &json)
    case .mirrorDropped(let mirror, let reason):
      json.field("url", mirror.description)
      json.field("reason", reason)
    case .interfaceChanged(let name, let problem):
      json.field("interface", name)
      json.field("problem", problem)
    case .connectionsLimited(let time): json.field("until", seconds: time)
    case .linkRenewed(let source, let status):
      json.field("source", SourceReference.shown(source))
      json.field("status", status)
    case .retrying(let failure, let delay):
      json.field("delay", seconds: delay)
      json.field("error", failure: failure, names)
    case .waiting(let opening, let queue, let share):
      json.field("until", seconds: opening)
      json.field("queue", queue)
      json.field("share", share)
    case .interrupted(let failure): json.field("error", failure: failure, names)
    case .failed(let failure): json.field("error", failure: failure, names)
    case .skipped(let path): json.field("target", path)
    case .upToDate(let path, let isEdited):
      json.field("target", path)
      json.field("edited", isEdited)
    case .hook(let report):
      json.field("program", report.program)
      json.field("problem", report.problem)
      json.array("output", report.output) { $0.value($1) }
    case .complete(let path, let size, let digest, let note):
      json.field("target", path)
      json.field("size", size)
      json.field("digest", digest?.digest.description)
      json.field("digestSource", digest?.source.rawValue)
      json.field("note", note)
    case .completeWithoutFile(let note):
      json.field("target", nil as String?)
      json.field("size", 0)
      json.field("digest", nil as String?)
      json.field("digestSource", nil as String?)
      json.field("note", note)
    }
  }

  private static func write(_ response: ResponseRecord, _ from: Int64, _ size: Int64?, to json: inout JSONText) {
    json.field("status", response.head.isHTTP ? response.head.status : nil)
    json.field("url", response.finalURL.description)
    json.field("received", from)
    json.field("size", size)
    json.field("mediaType", response.head.first("content-type"))
    json.field("etag", response.head.first("etag"))
    json.field("lastModified", response.head.first("last-modified"))
  }

  /// Returns the progress of a request's body.
  package static func upload(_ id: JobID, sent: Int64, length: Int64?, rate: Double?, time: Double) -> JSONText {
    line("upload", id, time) { json in
      json.field("sent", sent)
      json.field("length", length)
      json.field("rate", rate.map { Int64($0) })
    }
  }

  /// Returns the event of a job that `get` queued or found.
  package static func added(_ job: AddedJob, _ specification: JobSpecification, time: Double) -> JSONText {
    line("added", job.id, time) { json in
      json.field("uuid", job.uuid.uuidString)
      json.field("url", specification.request.url.description)
      json.field("existing", job.existing)
    }
  }

  /// Returns the event of a job that another process queued.
  package static func added(_ job: JobFacts, time: Double) -> JSONText {
    line("added", job.id, time) { json in
      json.field("uuid", job.uuid)
      json.field("url", job.url)
      json.field("existing", false)
    }
  }

  /// Returns the event of a job that has begun to wait.
  package static func queued(_ id: JobID, time: Double) -> JSONText { line("queued", id, time) { _ in } }

  /// Returns the state of a job, with all fields of a list.
  package static func job(_ job: JobFacts, time: Double) -> JSONText {
    line("job", job.id, time) { json in
      json.object("job") { job.writeFields(to: &$0) }
    }
  }

  package static func progress(
    _ id: JobID, received: Int64, size: Int64?, rate: Double?, connections: Int? = nil, time: Double
  ) -> JSONText {
    line("progress", id, time) { json in
      json.field("received", received)
      json.field("size", size)
      json.field("rate", rate.map { Int64($0) })
      if let connections { json.field("connections", connections) }
    }
  }

  private static func line(
    _ name: String, _ id: JobID, _ time: Double, _ body: (inout JSONText) -> Void
  ) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.field("v", Wire.version)
      json.field("event", name)
      json.field("id", id)
      json.field("time", seconds: time)
      body(&json)
    }
    json.endLine()
    return json
  }

  /// Returns the name of an event. The manual page lists all names.
  package static func name(_ kind: JobEvent.Kind) -> String {
    switch kind {
    case .added: "added"
    case .started: "started"
    case .redirected: "redirected"
    case .response: "response"
    case .restarted: "restarted"
    case .damaged: "damaged"
    case .adopted: "adopted"
    case .seeded: "seeded"
    case .mirrorDropped: "mirror-dropped"
    case .interfaceChanged: "interface-changed"
    case .connectionsLimited: "connections-limited"
    case .linkRenewed: "link-renewed"
    case .retrying: "retrying"
    case .waiting: "waiting"
    case .interrupted: "interrupted"
    case .paused: "paused"
    case .removed: "removed"
    case .skipped: "skipped"
    case .upToDate: "unchanged"
    case .failed: "failed"
    case .complete, .completeWithoutFile: "complete"
    case .hook: "hook"
    }
  }
}
