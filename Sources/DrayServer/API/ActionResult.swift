internal import DrayCore

/// The result of an action for one job, in the answer of the API.
struct ActionResult: Sendable, Equatable {
  enum Outcome: String, Sendable, CaseIterable {
    /// The action was done, or will be in a moment: the job's runner was told.
    case done
    /// There is no such job.
    case unknown
    /// The action is not possible.
    case refused
  }

  /// The job; `nil` if a removal cannot be undone.
  var id: JobID?
  var outcome: Outcome
  var message: String?
  var undo: String?

  func write(to json: inout JSONText) {
    json.beginObject()
    json.field("id", id)
    json.field("result", outcome.rawValue)
    if let message { json.field("message", message) }
    if let undo { json.field("undo", undo) }
    json.endObject()
  }
}
