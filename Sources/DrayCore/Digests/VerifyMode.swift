// The user's choice of digests to verify.

/// The digests that a file is verified against.
public enum VerifyMode: String, Sendable, Codable, CaseIterable {
  /// Only a given digest.
  case none
  /// Also the digests in the server's answer.
  case offered
  /// Also lists of digests next to the file on the server.
  case auto
  /// As ``auto``, and a file without any digest is rejected.
  case require

  /// Whether to search for lists next to the file.
  public var looksBeside: Bool { self == .auto || self == .require }
}
