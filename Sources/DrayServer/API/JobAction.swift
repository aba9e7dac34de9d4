// What can be done to jobs by one word.

internal import DrayCore

/// An action on jobs.
enum JobAction: String, Sendable, CaseIterable {
  case pause, resume, retry, remove
}

/// What became of an action for one job.
struct ActionResult: Sendable, Equatable {
  enum Outcome: String, Sendable, CaseIterable {
    /// It is so, or will be in a moment: its runner was asked.
    case done
    /// There is no such job.
    case unknown
    /// It cannot be done.
    case refused
  }

  /// The job; nil where a removal cannot be taken back.
  var id: JobID?
  var outcome: Outcome
  var message: String?
  /// What takes a removal back.
  var undo: String?

  /// Writes it.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.field("id", id)
    json.field("result", outcome.rawValue)
    if let message { json.field("message", message) }
    if let undo { json.field("undo", undo) }
    json.endObject()
  }
}
