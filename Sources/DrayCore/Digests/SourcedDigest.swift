// A digest, and who said so.

/// A digest and who says so.
public struct SourcedDigest: Sendable, Hashable, Codable {
  /// The digest of the whole file.
  public var digest: DigestValue
  /// Who says so.
  public var source: DigestSource

  /// Creates one.
  public init(_ digest: DigestValue, _ source: DigestSource) {
    (self.digest, self.source) = (digest, source)
  }
}
