// How far digests of a file are looked for.

/// How far a file's digest is looked for.
public enum VerifyMode: String, Sendable, Codable, CaseIterable {
  /// Only one that was given is checked.
  case none
  /// Those that the server offers in its answer, too.
  case offered
  /// Lists of digests next to the file on its server, too.
  case auto
  /// The same, and a file of which none is found is not good.
  case require

  /// Whether lists next to the file are looked for.
  public var looksBeside: Bool { self == .auto || self == .require }
}
