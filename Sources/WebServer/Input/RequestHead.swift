// The head of a request, checked beyond SwiftNIO's parser: anything that another server could interpret differently is
// refused.

internal import NIOHTTP1

struct RequestHead: Equatable {
  var method: String
  /// The percent-encoded path; `*` for `OPTIONS *`.
  var path: String
  var query: String?
  /// The minor version: 0 or 1.
  var version: Int
  var fields: WebFields
  var framing: BodyFraming

  /// Whether the connection may be reused (RFC 9112 §9.3). The parser stops after a request for another protocol.
  var keepsAlive: Bool {
    guard fields["Upgrade"] == nil || !fields.lists("upgrade", in: "Connection") else { return false }
    return version == 1 ? !fields.lists("close", in: "Connection") : fields.lists("keep-alive", in: "Connection")
  }

  /// Whether the client waits for permission to send the body (RFC 9110 §10.1.1).
  var expectsContinue: Bool { version == 1 && framing != .none && fields.lists("100-continue", in: "Expect") }

  /// Throws ``WebRefusal`` with 400, 413, 417, 431 or 501.
  init(_ head: HTTPRequestHead, limits: WebLimits) throws(WebRefusal) {
    guard head.headers.count <= limits.fields else { throw .manyFields(limits) }
    var all = WebFields(head.headers.map { WebField($0.name, $0.value.trimmed) })
    (method, version) = (head.method.rawValue, head.version.minor)
    let target = try RequestTarget(head.uri, method: method)
    (path, query) = (target.path, target.query)
    all["Host"] = try RequestHead.host(target, version, all)
    framing = try BodyFraming(all, version: version, limit: limits.body)
    fields = all
    if let expected = all["Expect"], version == 1, !all.lists("100-continue", in: "Expect") {
      throw WebRefusal(417, "Expect: \(expected) is not known.")
    }
  }

  /// From a target that is a URL, otherwise from the single `Host` field (RFC 9112 §3.2).
  private static func host(_ target: RequestTarget, _ version: Int, _ fields: WebFields) throws(WebRefusal) -> String? {
    let hosts = fields.all("Host")
    guard hosts.count < 2 else { throw WebRefusal(400, "More than one Host field.") }
    guard version == 0 || hosts.count == 1 else { throw WebRefusal(400, "The Host field is missing.") }
    if let host = hosts.first, !host.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: ",") }) {
      throw WebRefusal(400, "The Host field is invalid.")
    }
    return target.authority ?? hosts.first
  }
}

extension UInt8 {
  /// Whether it is visible ASCII (`VCHAR` of RFC 5234).
  fileprivate var isVisible: Bool { self > 0x20 && self < 0x7F }
}

extension WebRefusal {
  static func manyFields(_ limits: WebLimits) -> WebRefusal { WebRefusal(431, "More than \(limits.fields) fields.") }
}
