// Parses the first line and the fields of a request (RFC 9112 §3 and §5) strictly: anything that another server could
// interpret differently is refused.

/// The head of a request.
struct RequestHead: Sendable, Equatable {
  var method: String
  /// The percent-encoded path; `*` for `OPTIONS *`.
  var path: String
  var query: String?
  /// The minor version: 0 or 1.
  var version: Int
  var fields: WebFields
  var framing: BodyFraming

  /// Whether the connection may be reused (RFC 9112 §9.3).
  var keepsAlive: Bool {
    version == 1 ? !fields.lists("close", in: "Connection") : fields.lists("keep-alive", in: "Connection")
  }

  /// Whether the client waits for permission to send the body (RFC 9110 §10.1.1).
  var expectsContinue: Bool { version == 1 && framing != .none && fields.lists("100-continue", in: "Expect") }

  /// Parses a head.
  /// - Parameter bytes: The bytes from the first line to before the empty line that ends the head. The last line
  ///   includes its CR LF.
  /// - Throws: ``WebRefusal`` with 400, 414, 417, 431, 501 or 505.
  init(_ bytes: ArraySlice<UInt8>, limits: WebLimits) throws(WebRefusal) {
    let lines = try RequestHead.lines(bytes)
    guard let first = lines.first else { throw WebRefusal(400, "The request is empty.") }
    let line = try RequestLine(first, limits: limits)
    var fields: [WebField] = []
    for bytes in lines.dropFirst() {
      guard fields.count < limits.fields else { throw WebRefusal(431, "More than \(limits.fields) fields.") }
      fields.append(try RequestHead.field(bytes))
    }
    var all = WebFields(fields)
    let host = try RequestHead.host(line, all)
    all["Host"] = host
    (method, path, query, version) = (line.method, line.path, line.query, line.version)
    framing = try BodyFraming(all, version: line.version, limit: limits.body)
    self.fields = all
    if let expected = all["Expect"], version == 1, !all.lists("100-continue", in: "Expect") {
      throw WebRefusal(417, "Expect: \(expected) is not known.")
    }
  }

  /// Splits the lines at CR LF. Refuses a bare LF, which RFC 9112 §2.2 allows as the end of a line: a recipient that
  /// does not accept it would see other lines.
  private static func lines(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty, line.endIndex == bytes.endIndex { break }
      guard line.last == 0x0D else { throw WebRefusal(400, "A line does not end with CR LF.") }
      lines.append(line.dropLast())
    }
    return lines
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(WebRefusal) -> WebField {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw WebRefusal(400, "A field has no colon.") }
    // A name with a leading space would be a folded line; one with a trailing space hides from filters (RFC 9112 §5.1,
    // §5.2).
    let name = line[..<colon]
    guard !name.isEmpty, name.allSatisfy(\.isTokenPart) else {
      throw WebRefusal(400, "The name of a field is invalid.")
    }
    let value = line[line.index(after: colon)...].trimmingBlanks
    guard value.allSatisfy(\.isFieldPart) else { throw WebRefusal(400, "A field has a control character.") }
    return WebField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// Returns the requested host: from a target that is a URL, otherwise from the single `Host` field (RFC 9112 §3.2).
  private static func host(_ line: RequestLine, _ fields: WebFields) throws(WebRefusal) -> String? {
    let hosts = fields.all("Host")
    guard hosts.count < 2 else { throw WebRefusal(400, "More than one Host field.") }
    guard line.version == 0 || hosts.count == 1 else { throw WebRefusal(400, "The Host field is missing.") }
    if let host = hosts.first, !host.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: ",") }) {
      throw WebRefusal(400, "The Host field is invalid.")
    }
    return line.authority ?? hosts.first
  }
}
