// Which cookies a request sends and where received ones are stored.

/// The options for cookies.
public struct CookieOptions: Sendable, Equatable, Codable {
  /// Files in Netscape's format to read cookies from, absolute paths.
  public var files: [String]?
  /// Cookies that were taken from a browser when the job was made, as lines in Netscape's format.
  public var taken: [String]?
  /// A file in Netscape's format that all cookies but dray's own are written to at the end.
  public var jar: String?
  /// Whether the jar in the state directory is ignored.
  public var ignoresOwnJar: Bool?

  /// Only dray's own jar.
  public init() {}
}
