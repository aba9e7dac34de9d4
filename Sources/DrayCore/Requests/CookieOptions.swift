/// Which cookies a request sends, and where received cookies are stored.
public struct CookieOptions: Sendable, Equatable, Codable {
  /// The absolute paths of cookie files to read, in the Netscape format.
  public var files: [String]?
  /// The cookies taken from a browser when the job was created, as lines in the Netscape format.
  public var taken: [String]?
  /// A file in the Netscape format to which all cookies are written at the end, except cookies of dray's own jar.
  public var jar: String?
  /// Whether the jar in the state directory is ignored.
  public var ignoresOwnJar: Bool?

  /// Creates options that use only dray's own jar.
  public init() {}
}
