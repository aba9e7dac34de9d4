// Where digests of a file are searched for.

/// Where a file's digest is searched for.
public enum VerifyMode: String, Sendable, Codable, CaseIterable {
  /// Only one that was given is checked.
  case none
  /// Also those that the server offers in its answer.
  case offered
  /// Lists of digests next to the file on its server, too.
  case auto
  /// The same, and a file without any is rejected.
  case require

  /// Whether lists next to the file are searched for.
  public var looksBeside: Bool { self == .auto || self == .require }
}
