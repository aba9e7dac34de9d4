/// A digest and where it comes from.
public struct SourcedDigest: Sendable, Hashable, Codable {
  /// The digest of the whole file.
  public var digest: DigestValue
  /// The source of the digest.
  public var source: DigestSource

  /// Creates a digest with a source.
  public init(_ digest: DigestValue, _ source: DigestSource) {
    (self.digest, self.source) = (digest, source)
  }
}
