// What a client of the API is told when its request is not carried out.

internal import DrayCore

/// An error as the API has it: `{"error":{"code","message","advice"}}`.
struct APIFailure: Error, Sendable, Equatable {
  /// The words for programs.
  enum Code: String, Sendable, CaseIterable {
    case notFound = "not-found"
    case badRequest = "bad-request"
    case unauthorized, forbidden, conflict, unavailable
  }

  var status: Int
  var code: Code
  /// What is wrong, a sentence or a line of dray's.
  var message: String
  /// What to do next.
  var advice: String?
  /// Further fields of the answer.
  var fields: WebFields = [:]

  init(_ status: Int, _ code: Code, _ message: String, advice: String? = nil) {
    (self.status, self.code, self.message, self.advice) = (status, code, message, advice)
  }

  /// The request is not what it must be.
  static func bad(_ message: String, advice: String? = nil) -> APIFailure {
    APIFailure(400, .badRequest, message, advice: advice)
  }

  static func noJob(_ id: JobID) -> APIFailure {
    APIFailure(404, .notFound, "job \(id): no such job", advice: "GET /api/v1/jobs lists all")
  }

  /// Something that only the user of this machine may ask for.
  static func forbidden(_ message: String, advice: String? = nil) -> APIFailure {
    APIFailure(403, .forbidden, message, advice: advice)
  }

  /// A failure of dray's own, by its kind: what a client asked wrongly, what stands against it here, and what another server did.
  init(_ failure: Failure, _ names: Advice.Names) {
    let (status, code): (Int, Code) =
      switch failure.kind {
      case .usage: (400, .badRequest)
      case .file, .other: (409, .conflict)
      case .store: (503, .unavailable)
      case .network, .tls, .authentication, .protocolViolation, .status, .integrity: (502, .unavailable)
      }
    self.init(status, code, failure.description, advice: failure.advice?.text(names))
  }

  /// The answer.
  var response: WebResponse {
    var json = JSONText()
    json.beginObject()
    json.key("error")
    json.beginObject()
    json.field("code", code.rawValue)
    json.field("message", message)
    if let advice { json.field("advice", advice) }
    json.endObject()
    json.endObject()
    var all: WebFields = ["Content-Type": "application/json"]
    for field in fields.list { all[field.name] = field.value }
    return WebResponse(status, all, json.bytes)
  }
}
