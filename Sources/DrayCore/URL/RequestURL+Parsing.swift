// Parses URLs as people type them.

extension RequestURL {
  /// The decoded user name and password of a typed URL. Deliberately not `Codable`, so that passwords are not stored by
  /// mistake.
  public struct UserInfo: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user name.
    public let user: String
    /// The password; `nil` if the text has no `:`.
    public let password: String?

    /// A placeholder that hides the credentials (P7).
    public var description: String { "…" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror that hides the credentials from `dump`.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  }

  /// The parts of a typed URL.
  public struct Parsed: Hashable, Sendable {
    /// The URL, without user name and password.
    public let url: RequestURL
    /// The user name and password in the URL.
    public let userInfo: UserInfo?
  }

  /// The maximum length of a URL in bytes.
  public static let longest = 65_536

  /// Parses a URL as typed: spaces and letters of any script are percent-encoded, `%XX` stays as it is.
  ///
  /// - Throws: ``URLParseError`` for an unsupported scheme, a missing or invalid host or port, and for control
  ///   characters.
  public static func parse(_ typed: String) throws(URLParseError) -> Parsed {
    try parse(typed, mayBeDirectory: false)
  }

  /// Parses the URL of a directory like ``parse(_:)``, and adds a slash to the path if none was typed.
  ///
  /// - Throws: ``URLParseError`` as ``parse(_:)`` does, and if there is a query, because directories have none.
  public static func parse(directory typed: String) throws(URLParseError) -> Parsed {
    let parsed = try parse(typed, mayBeDirectory: true)
    guard parsed.url.query == nil else {
      throw URLParseError("the URL of a directory has no query: write it without ? and what follows")
    }
    guard !parsed.url.path.hasSuffix("/") else { return parsed }
    let url = try fit(parsed.url.origin, path: Array((parsed.url.path + "/").utf8), query: nil)
    return Parsed(url: url, userInfo: parsed.userInfo)
  }

  private static func parse(_ typed: String, mayBeDirectory: Bool) throws(URLParseError) -> Parsed {
    let typed = LinkText.trimmed(typed).text
    let bytes = try checked(typed)
    if bytes.contains(where: { $0 == 0x20 || $0 >= 0x80 }) {
      let count = LinkText.links(typed).count
      guard count == 1 else {
        throw URLParseError("there are \(count) URLs in it: give one at a time, or write the blank as %20")
      }
    }
    let reference = URLReference(bytes)
    if let known = reference.scheme.flatMap(Scheme.init(named:)), !known.form.hasHost,
      reference.path.first == UInt8(ascii: "/")
    {
      return try local(known, reference.authority ?? [], path: Array(reference.path), query: reference.query)
    }
    guard let scheme = reference.scheme, let authority = reference.authority else {
      throw missingScheme(reference)
    }
    return try assemble(
      scheme, authority, path: Array(reference.path), query: reference.query, mayBeDirectory: mayBeDirectory)
  }

  /// Returns the text without the spaces around it. Refuses an empty text, a text that is too long, and control
  /// characters.
  static func checked(_ text: String) throws(URLParseError) -> ArraySlice<UInt8> {
    let bytes = Array(text.utf8)
    // Remove only spaces. A tab is refused as a control character, even at an end of the text.
    let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
    let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    let trimmed = bytes[start..<end]
    guard !trimmed.isEmpty else { throw URLParseError("the URL is empty: write http://… or https://…") }
    guard trimmed.count <= longest else {
      throw URLParseError("the URL is longer than 64 KiB (\(trimmed.count) bytes)")
    }
    guard !trimmed.contains(where: \.isControl) else {
      throw URLParseError("the URL contains a control character: write it as %XX if it is intended")
    }
    return trimmed
  }

  /// Returns the error for a text without `scheme://`.
  private static func missingScheme(_ reference: URLReference) -> URLParseError {
    if let scheme = reference.scheme, !scheme.contains("."), reference.path.first?.isDigit != true {
      guard let known = Scheme(named: scheme) else { return unsupported(scheme) }
      return known.form.hasHost
        ? URLParseError("the host is missing: write \(scheme)://HOST/PATH")
        : URLParseError("the path is missing: write \(scheme):///PATH")
    }
    return URLParseError("the URL has no scheme: write http://… or https://…")
  }

  private static func unsupported(_ scheme: String) -> URLParseError {
    URLParseError("the scheme \(quoted(scheme)) is not supported: use \(Scheme.choice)")
  }

  /// Checks and joins the parts of a URL whose scheme was already checked.
  static func assemble(
    _ scheme: String, _ authority: ArraySlice<UInt8>, path: [UInt8], query: ArraySlice<UInt8>?,
    mayBeDirectory: Bool = false
  ) throws(URLParseError) -> Parsed {
    guard let known = Scheme(named: scheme) else { throw unsupported(scheme) }
    // Refuse a backslash: browsers read it as a slash, RFC 3986 does not, so two programs could read different hosts.
    guard !authority.contains(UInt8(ascii: "\\")) else {
      throw URLParseError("there is a backslash in the host part: write / or %5C")
    }
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    let (hostBytes, port) = try hostAndPort(at.map { authority[($0 + 1)...] } ?? authority)
    guard known.form.hasHost else { return try local(known, authority, path: path, query: query) }
    try known.form.checkHost?(hostBytes, at == nil && port == nil)
    let (path, query) = try fitting(path, query, known, mayBeDirectory: mayBeDirectory)
    let origin = Origin(
      scheme: scheme, host: try HostName.normalized(hostBytes), port: port ?? known.defaultPort)
    let url = try fit(origin, path: path, query: query)
    guard let at else { return Parsed(url: url, userInfo: nil) }
    return Parsed(url: url, userInfo: try userInfo(authority[..<at]))
  }

  /// Encodes path and query, removes dot segments and checks the length.
  static func fit(
    _ origin: Origin, path: [UInt8], query: ArraySlice<UInt8>?
  ) throws(URLParseError) -> RequestURL {
    let encoded = PercentEncoding.encoded(path[...], allowed: PercentEncoding.path)
    let url = RequestURL(
      scheme: origin.scheme, host: origin.host, port: origin.port,
      path: encoded.isEmpty ? [UInt8(ascii: "/")] : URLReference.removingDots(encoded),
      query: query.map { PercentEncoding.encoded($0, allowed: PercentEncoding.query) })
    guard url.string.utf8.count <= longest else { throw URLParseError("the encoded URL is longer than 64 KiB") }
    return url
  }

  private static func hostAndPort(
    _ bytes: ArraySlice<UInt8>
  ) throws(URLParseError) -> (ArraySlice<UInt8>, Int?) {
    let nameEnd =
      bytes.first == UInt8(ascii: "[")
      ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.endIndex
      : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let rest = bytes[nameEnd...]
    guard !rest.isEmpty, rest.count > 1 || rest.first != UInt8(ascii: ":") else { return (bytes[..<nameEnd], nil) }
    guard rest.first == UInt8(ascii: ":") else {
      throw URLParseError("after ] a port or the path must follow: write [2001:db8::1]:8080")
    }
    guard !rest.dropFirst().contains(UInt8(ascii: ":")) else {
      throw URLParseError("the host has several colons: write an IPv6 address in brackets, as http://[::1]/")
    }
    guard case .value(let port) = DecimalDigits(rest.dropFirst()), (1...65535).contains(port) else {
      throw URLParseError("the port is not a number from 1 to 65535")
    }
    return (bytes[..<nameEnd], Int(port))
  }

  private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(URLParseError) -> UserInfo {
    let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let decoded = parts.map(PercentEncoding.decoded)
    guard !decoded.contains(where: { $0.contains(where: \.isControl) }) else {
      throw URLParseError("the user name or password in the URL contains a control character")
    }
    let texts = decoded.map { String(decoding: $0, as: UTF8.self) }
    return UserInfo(user: texts[0], password: texts.count > 1 ? texts[1] : nil)
  }
}
