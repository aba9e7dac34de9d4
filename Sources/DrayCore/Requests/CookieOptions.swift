// Which cookies a request sends and where those that come are kept.

/// What is done about cookies.
public struct CookieOptions: Sendable, Equatable, Codable {
  /// Files in Netscape's format to read cookies from, absolute paths.
  public var files: [String]?
  /// Cookies that were taken from a browser when the job was made, as lines in Netscape's format.
  public var taken: [String]?
  /// A file in Netscape's format that all cookies but dray's own are written to at the end.
  public var jar: String?
  /// Whether the jar in the state directory is left out.
  public var ignoresOwnJar: Bool?

  /// Dray's own jar, nothing else.
  public init() {}
}
