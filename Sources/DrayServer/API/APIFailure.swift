// The errors that calls of the API are answered with.

internal import DrayCore
internal import WebServer

/// An error of the API, in JSON `{"error":{"code","message","advice"}}`.
struct APIFailure: Error, Sendable, Equatable {
  enum Code: String, Sendable, CaseIterable {
    case notFound = "not-found"
    case badRequest = "bad-request"
    case unauthorized, forbidden, conflict, unavailable
  }

  var status: Int
  var code: Code
  /// The error as a sentence, or as a line that dray would print.
  var message: String
  var advice: String?
  /// The additional header fields of the answer.
  var fields: WebFields = [:]

  init(_ status: Int, _ code: Code, _ message: String, advice: String? = nil) {
    (self.status, self.code, self.message, self.advice) = (status, code, message, advice)
  }

  static func bad(_ message: String, advice: String? = nil) -> APIFailure {
    APIFailure(400, .badRequest, message, advice: advice)
  }

  static func noJob(_ id: JobID) -> APIFailure {
    APIFailure(404, .notFound, "job \(id): no such job", advice: "GET /api/v1/jobs lists all")
  }

  /// Returns the error for a request that only the user of this machine may make.
  static func forbidden(_ message: String, advice: String? = nil) -> APIFailure {
    APIFailure(403, .forbidden, message, advice: advice)
  }

  /// Creates the error for a failure that dray reports. The kind of the failure tells whether the client, this machine
  /// or another server is at fault.
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
