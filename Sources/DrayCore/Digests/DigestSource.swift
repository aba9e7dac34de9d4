/// The source of a digest, as shown to users.
public struct DigestSource: Sendable, Hashable, Codable, RawRepresentable {
  /// The text: `given`, the name of a header field, `Metalink`, `lock`, or the URL of a list.
  public let rawValue: String

  /// Creates a source from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The digest is from the user.
  public static let given = DigestSource(rawValue: "given")
  /// The digest is from a Metalink file (RFC 5854).
  public static let metalink = DigestSource(rawValue: "Metalink")
  /// The digest is from a control file of zsync.
  public static let zsync = DigestSource(rawValue: "zsync")
  /// The digest is from a catalog.
  public static let catalog = DigestSource(rawValue: "catalog")
  /// The digest is from the lock file of a manifest, which pins a version.
  package static let lock = DigestSource(rawValue: "lock")
  /// The digest was computed from the file on disk.
  public static let computed = DigestSource(rawValue: "computed")
}
