// The first line of a request (RFC 9112 §3).

/// The method, target and version.
struct RequestLine: Equatable {
  var method: String
  var path: String
  var query: String?
  /// Host and port, if the target is a URL.
  var authority: String?
  /// The minor version: 0 or 1.
  var version: Int

  /// The maximum length of a method. Registered ones have at most 17 bytes.
  private static let longestMethod = 32

  /// Parses the line, without its CR LF.
  init(_ line: ArraySlice<UInt8>, limits: WebLimits) throws(WebRefusal) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, let method = parts.first, let version = parts.last else {
      throw WebRefusal(400, "The first line is not METHOD TARGET VERSION.")
    }
    guard (1...Self.longestMethod).contains(method.count), method.allSatisfy(\.isTokenPart) else {
      throw WebRefusal(400, "The method is invalid.")
    }
    self.method = String(decoding: method, as: UTF8.self)
    self.version = try Self.minorVersion(version)
    guard parts[1].count <= limits.target else {
      throw WebRefusal(414, "The target is longer than \(limits.target) bytes.")
    }
    guard !parts[1].isEmpty, parts[1].allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "#") }) else {
      throw WebRefusal(400, "The target is invalid.")
    }
    (authority, path, query) = try Self.target(String(decoding: parts[1], as: UTF8.self), method: self.method)
  }

  private static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> Int {
    switch String(decoding: bytes, as: UTF8.self) {
    case "HTTP/1.1": return 1
    case "HTTP/1.0": return 0
    case let other where other.hasPrefix("HTTP/"): throw WebRefusal(505, "HTTP/1.1 is spoken here.")
    default: throw WebRefusal(400, "The version is invalid.")
    }
  }

  /// Parses a target (RFC 9112 §3.2): a path, a URL, or `*`. The form for CONNECT is for proxies only and refused.
  private static func target(
    _ text: String, method: String
  ) throws(WebRefusal) -> (authority: String?, path: String, query: String?) {
    if text == "*", method == "OPTIONS" { return (nil, "*", nil) }
    if text.hasPrefix("/") { return (nil, path(text[...]).0, path(text[...]).1) }
    for scheme in ["http://", "https://"]
    where text.utf8.prefix(scheme.utf8.count).elementsEqual(scheme.utf8, by: { $0.lowercased == $1 }) {
      let rest = text.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      guard end > rest.startIndex, !rest[..<end].contains("@") else { break }
      let (found, query) = path(rest[end...])
      return (String(rest[..<end]), found.isEmpty ? "/" : found, query)
    }
    throw WebRefusal(400, "The target is neither a path nor a URL.")
  }

  private static func path(_ text: Substring) -> (String, String?) {
    guard let mark = text.firstIndex(of: "?") else { return (String(text), nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
