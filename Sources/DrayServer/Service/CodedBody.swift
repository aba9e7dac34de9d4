// Refuses compressed request bodies. No front end sends such a body, and a small one could fill the memory when it is
// decoded.

internal import WebServer

/// The content coding of a request's body (RFC 9110 §8.4).
enum CodedBody {
  static func refusal(of head: WebRequest) -> WebResponse? {
    let codings = head.fields.all("Content-Encoding").flatMap { $0.split(separator: ",") }
    let isCoded = codings.contains { !$0.utf8.trimmingBlanks.elementsEqual("identity".utf8) { $0.lowercased == $1 } }
    let hasBody = head.fields["Transfer-Encoding"] != nil || head.fields["Content-Length"].map { $0 != "0" } ?? false
    guard isCoded, hasBody else { return nil }
    let message = "A compressed body is not read."
    let body = #"{"error":{"code":"bad-request","message":"\#(message)","advice":"send it as it is"}}"#
    return WebResponse(
      415, ["Content-Type": "application/json", "Accept-Encoding": "identity"], Array(body.utf8))
  }
}
