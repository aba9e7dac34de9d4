// The answers to clients that are not permitted.

package import WebServer

package struct AccessRefusal: Error, Sendable, Equatable {
  package let status: Int
  /// The code of the error, which programs read, as in all errors of the API.
  package let code: String
  /// The error as a sentence that people read.
  package let message: String
  package let advice: String
  /// The number of seconds after which it makes sense to try again.
  package var retryAfter: Int?

  static let host = AccessRefusal(
    status: 421, code: "forbidden", message: "This service does not have that name.",
    advice: "allow the name when starting dray serve, or ask by localhost or an address")
  static let origin = AccessRefusal(
    status: 403, code: "forbidden", message: "Pages of that origin are not allowed.",
    advice: "allow the origin when starting dray serve")
  static let untold = AccessRefusal(
    status: 403, code: "forbidden", message: "The browser does not say which page requests this change.",
    advice: "use the page of this service, or send the secret")
  static let closed = AccessRefusal(
    status: 403, code: "forbidden", message: "Clients on other machines need a secret, and none is set.",
    advice: "start dray serve with a secret")
  static let missing = AccessRefusal(
    status: 401, code: "unauthorized", message: "A secret is needed.",
    advice: "send Authorization: Bearer SECRET, or log in on the page")
  static let wrong = AccessRefusal(
    status: 401, code: "unauthorized", message: "The secret is wrong.",
    advice: "use the secret that dray serve was started with")
  static let usedLink = AccessRefusal(
    status: 401, code: "unauthorized", message: "This link was used before.",
    advice: "dray serve --link prints another")
  static let lateLink = AccessRefusal(
    status: 401, code: "unauthorized", message: "This link is older than an hour.",
    advice: "dray serve --link prints another")

  static func slowDown(_ seconds: Double) -> AccessRefusal {
    AccessRefusal(
      status: 429, code: "unauthorized", message: "Too many wrong secrets.", advice: "wait a moment",
      retryAfter: max(1, Int(seconds.rounded(.up))))
  }

  /// The number of seconds by which the answer of ``slowDown(_:)`` is delayed.
  static let pause = 1.0

  /// The answer, in the form that all errors of the API have. The texts come from this file and contain nothing that
  /// would have to be escaped.
  package var response: WebResponse {
    var fields: WebFields = ["Content-Type": "application/json"]
    // RFC 9110 §15.5.2 requires that the answer names a challenge. Browsers do not ask their users for a bearer token.
    if status == 401 { fields["WWW-Authenticate"] = "Bearer" }
    if let retryAfter { fields["Retry-After"] = String(retryAfter) }
    let text = #"{"error":{"code":"\#(code)","message":"\#(message)","advice":"\#(advice)"}}"#
    var response = WebResponse(status, fields, Array(text.utf8))
    if status == 429 { response.delay = Self.pause }
    return response
  }
}
