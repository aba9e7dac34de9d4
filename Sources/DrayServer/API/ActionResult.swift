internal import DrayCore

/// The result that an action had for one job, as the API answers it.
struct ActionResult: Sendable, Equatable {
  enum Outcome: String, Sendable, CaseIterable {
    /// The action is done, or will be done soon because the job's runner was told to do it.
    case done
    /// No job has this number.
    case unknown
    /// The action is not possible for this job.
    case refused
  }

  /// The job's number; `nil` if a removal cannot be undone.
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
