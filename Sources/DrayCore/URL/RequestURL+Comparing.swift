// Compares URLs by their meaning, not by their spelling (RFC 3986 §6.2.2). Requests still use the spelling that was
// given.

/// The position of a listed URL relative to the listed directory.
package enum ListedPlace: Sendable, Hashable {
  /// The URL is an entry. The value begins with the directory's URL, in the spelling in which it was requested.
  case entry(RequestURL)
  /// The URL is the directory itself.
  case directory
  /// The URL is not an entry of the directory.
  case dropped(DroppedEntry)
}

/// The reason why a listed URL is not an entry of its directory.
package enum DroppedEntry: Sendable, Hashable, CaseIterable {
  /// The path is below that of the directory, but on another host.
  case otherServer
  /// The URL is below the directory, and has a query.
  case query
  /// The URL is in another directory.
  case outside
  /// The server lists the entry, but refuses to describe it.
  case refused

  /// The words that follow a count in a message.
  package var words: String {
    switch self {
    case .otherServer: "on another server"
    case .query: "with a query"
    case .outside: "in another directory"
    case .refused: "refused by the server"
    }
  }
}

extension [DroppedEntry: Int] {
  /// The counts of dropped entries, as words for a message.
  public var words: String {
    DroppedEntry.allCases.compactMap { kind in
      self[kind].map { "\($0) entr\($0 == 1 ? "y" : "ies") \(kind.words)" }
    }.joined(separator: ", ")
  }
}

extension RequestURL {
  /// The URL in the normal form of RFC 3986 §6.2.2: escapes of unreserved characters are decoded, and other escapes
  /// have uppercase digits. URLs with equal normal forms are the same resource.
  public var normal: String { RequestURL.normal(string, plain: PercentEncoding.unreserved) }

  /// The key by which places on a server are compared. Unlike ``normal``, this also decodes escapes that a path segment
  /// does not need, because some servers list `(1)` as `%281%29`.
  public var placeKey: String { RequestURL.normal(string, plain: RequestURL.plainInSegment) }

  /// The usual spellings of this URL, the given one first. They differ in whether `~` is escaped, and in the case of
  /// the digits of escapes.
  public var spellings: [String] {
    guard string.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "~") }) else { return [string] }
    let normal = normal
    let escaped = normal.replacing("~", with: "%7E")
    var result = [string]
    for one in [normal, escaped, RequestURL.lowercased(normal), RequestURL.lowercased(escaped)]
    where !result.contains(one) {
      result.append(one)
    }
    return result
  }

  /// Returns the place of this URL in the listing of a directory. Behind a proxy, a server may list URLs with its
  /// internal scheme and port; therefore, only the host is compared for HTTP.
  package func place(in directory: RequestURL) -> ListedPlace {
    guard let tail = tail(below: directory) else { return .dropped(.outside) }
    let isSame =
      origin == directory.origin
      || host == directory.host && scheme.hasPrefix("http") && directory.scheme.hasPrefix("http")
    guard !tail.isEmpty else { return isSame ? .directory : .dropped(.outside) }
    guard isSame else { return .dropped(.otherServer) }
    guard query == nil else { return .dropped(.query) }
    guard origin != directory.origin || !path.hasPrefix(directory.path) else { return .entry(self) }
    return .entry(
      RequestURL(
        scheme: directory.scheme, host: directory.host, port: directory.port, path: Array((directory.path + tail).utf8),
        query: nil))
  }

  /// Whether this URL is `directory` or below it, on the same origin and without a query.
  public func isWithin(_ directory: RequestURL) -> Bool {
    query == nil && origin == directory.origin && tail(below: directory) != nil
  }

  /// Whether this URL is below `directory`, on the same origin and without a query.
  public func isBelow(_ directory: RequestURL) -> Bool {
    query == nil && origin == directory.origin && tail(below: directory)?.isEmpty == false
  }

  /// The part of the path that follows a directory's path, as this URL spells it; `nil` if this URL is not below the
  /// directory.
  func tail(below directory: RequestURL) -> Substring? {
    let (mine, theirs) = (path, directory.path)
    guard theirs.utf8.last == UInt8(ascii: "/") else { return nil }
    if mine.utf8.starts(with: theirs.utf8) {
      return mine[mine.utf8.index(mine.startIndex, offsetBy: theirs.utf8.count)...]
    }
    // Compare as many path segments as the directory has. An escaped slash is no separator.
    var slashes = theirs.utf8.count { $0 == UInt8(ascii: "/") }
    guard
      let end = mine.utf8.indices.first(where: { index in
        if mine.utf8[index] == UInt8(ascii: "/") { slashes -= 1 }
        return slashes == 0
      }).map({ mine.utf8.index(after: $0) }),
      RequestURL.normal(String(mine[..<end]), plain: RequestURL.plainInSegment)
        == RequestURL.normal(theirs, plain: RequestURL.plainInSegment)
    else { return nil }
    return mine[end...]
  }

  /// The characters that a path segment may contain unencoded (RFC 3986 §3.3).
  private static let plainInSegment = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=:@")

  private static func normal(_ text: String, plain: ByteSet) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return String(decoding: PercentEncoding.normalized(Array(text.utf8)[...], plain: plain), as: UTF8.self)
  }

  private static func lowercased(_ text: String) -> String {
    String(decoding: PercentEncoding.normalized(Array(text.utf8)[...], uppercase: false), as: UTF8.self)
  }
}
