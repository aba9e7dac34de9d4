// The target of a request (RFC 9112 §3.2).

/// A path, a URL, or `*`. The form for CONNECT is for proxies only and refused.
struct RequestTarget: Equatable {
  /// Host and port of a URL.
  var authority: String?
  var path: String
  var query: String?

  /// The parser has refused control characters and bytes beyond ASCII.
  init(_ text: String, method: String) throws(WebRefusal) {
    guard method != "CONNECT", !text.utf8.contains(UInt8(ascii: "#")) else {
      throw WebRefusal(400, "The target is invalid.")
    }
    if text == "*", method == "OPTIONS" {
      path = text
    } else if text.hasPrefix("/") {
      (path, query) = Self.path(text[...])
    } else {
      (authority, path, query) = try Self.url(text)
    }
  }

  private static func url(
    _ text: String
  ) throws(WebRefusal) -> (authority: String?, path: String, query: String?) {
    for scheme in ["http://", "https://"] where text.utf8.prefix(scheme.utf8.count).isSame(as: scheme.utf8) {
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
