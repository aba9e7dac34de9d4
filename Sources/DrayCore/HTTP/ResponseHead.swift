/// The head of an HTTP answer as received (RFC 9110 §6): status, version, fields in order.
public struct ResponseHead: Sendable, Equatable, Codable {
  /// The protocol version in the status line: `1.1`, `2`. For a server without HTTP, the name of the scheme; such heads
  /// are made from other replies (`SourceHead`).
  public var version: String
  /// The status code.
  public var status: Int
  /// The reason phrase; empty over HTTP/2.
  public var reason: String
  /// The fields in the order of arrival. Repeated fields are separate.
  public var fields: [HeaderField]

  /// Creates a head.
  public init(version: String = "1.1", status: Int, reason: String = "", fields: [HeaderField] = []) {
    self.version = version
    self.status = status
    self.reason = reason
    self.fields = fields
  }

  /// Whether a connection of this version can carry several answers at once.
  public static func isMultiplexed(_ version: String) -> Bool { version.hasPrefix("2") || version.hasPrefix("3") }

  /// Whether the answer came over HTTP.
  public var isHTTP: Bool { version.utf8.first?.isDigit ?? false }

  /// Returns the values of all fields with this name, in order. Names are compared ignoring case.
  public func all(_ name: String) -> [String] {
    var values: [String] = []
    for field in fields where field.isNamed(name) { values.append(field.value) }
    return values
  }

  /// Returns the value of the first field with this name.
  public func first(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// The validators of this answer.
  public var validators: Validators {
    Validators(etag: only("etag"), lastModified: only("last-modified"), date: only("date"))
  }

  /// Returns the value of a field that may occur only once. Different values are joined to a list (RFC 9110 §5.3),
  /// which is neither an entity tag nor a date: taking the first would mean trusting a server that names two versions
  /// (P2).
  private func only(_ name: String) -> String? {
    let values = all(name)
    guard let value = values.first else { return nil }
    return values.allSatisfy { $0 == value } ? value : values.joined(separator: ", ")
  }

  /// Whether the body marks its own end: `chunked` is the last transfer coding. With any other coding, the body ends
  /// with the connection (RFC 9112 §6.3).
  public var isChunked: Bool {
    all("transfer-encoding").joined(separator: ",").split(separator: ",").last?
      .trimmingSpaces().lowercased() == "chunked"
  }

  /// Whether trailers may follow the body (RFC 9112 §7.1.2, RFC 9113 §8.1). A server should announce them with
  /// `Trailer`, but need not (RFC 9110 §6.6.2).
  package var mayHaveTrailers: Bool { isHTTP && (isChunked || ResponseHead.isMultiplexed(version)) }

  /// A transfer coding that compresses, printable; `nil` if there is none. No request asks for one (RFC 9112 §7.4).
  /// libcurl would decode it, but would not notice that data are missing at the end.
  public var unrequestedCoding: String? {
    for coding in all("transfer-encoding").joined(separator: ",").split(separator: ",") {
      let name = coding.trimmingSpaces().lowercased()
      if !["chunked", "identity", ""].contains(name) { return TextSafety.escaped(String(name.prefix(40))) }
    }
    return nil
  }

  /// Whether the answer requires credentials.
  public var isChallenge: Bool { status == 401 || status == 407 }

  /// The length of the body that the head announces, in bytes; `nil` if it announces none or the status has no body.
  public var announcedLength: Int64? {
    guard !hasTransferEncoding, status >= 200, status != 204, status != 304 else { return nil }
    return (try? ContentLength.parse(all("content-length"))) ?? nil
  }

  /// Whether `Transfer-Encoding` frames the body, so that any `Content-Length` is ignored (RFC 9112 §6.3).
  public var hasTransferEncoding: Bool { first("transfer-encoding") != nil }
}

extension StringProtocol {
  /// Returns the text without spaces and tabs at both ends.
  package func trimmingSpaces() -> SubSequence {
    guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
      let last = lastIndex(where: { $0 != " " && $0 != "\t" })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}
