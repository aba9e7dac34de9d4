// Parses calls that are made by GET (aria2's manual, "JSON-RPC using HTTP GET", and "JSON-RPC over HTTP GET with
// JSONP").

internal import DrayCore
internal import DrayDocuments
internal import FoundationEssentials

/// The query of a GET: `method=…&id=…&params=BASE64&jsoncallback=…`, or only `params` with a batch.
struct RPCQuery: Sendable, Equatable {
  var message: RPCMessage
  /// The JavaScript function that the answer calls (JSONP); `nil` for none.
  var callback: String?

  /// Parses a query, which is given without its `?`.
  init(_ query: some StringProtocol) {
    var values: [Substring: [UInt8]] = [:]
    for pair in String(query).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = PercentText.decoded(Array(parts[1].utf8)) }
    }
    let text = { (name: Substring) in values[name].flatMap { String(validating: $0, as: UTF8.self) } }
    message = RPCQuery.message(id: text("id"), method: text("method"), parameters: values["params"])
    guard let callback = text("jsoncallback"), !callback.isEmpty else { return }
    // The name of the function becomes part of a script. Any other text could itself be a script.
    guard RPCQuery.isName(callback) else {
      message = .one(.bad(.request, id: nil))
      return
    }
    self.callback = callback
  }

  private static func message(id: String?, method: String?, parameters: [UInt8]?) -> RPCMessage {
    let decoded = parameters.flatMap { Data(base64Encoded: Data($0)) }
    guard decoded != nil || parameters == nil else { return .one(.bad(.request, id: nil)) }
    guard let method else { return decoded.map { RPCMessage($0) } ?? .one(.bad(.request, id: nil)) }
    // The id is written as a string, even if it looks like a number.
    var json = JSONText()
    json.beginObject()
    if let id { json.field("id", id) }
    json.field("method", method)
    if decoded != nil { json.key("params") }
    return RPCMessage(json.bytes + (decoded.map { Array($0) } ?? []) + [UInt8(ascii: "}")])
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 128
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
