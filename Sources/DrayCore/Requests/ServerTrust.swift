// Decides how the certificate of a server of S3 is checked.

/// The checks of a server's certificate, where they differ from the system's.
public struct ServerTrust: Sendable, Hashable, Codable {
  /// A file of certificates to trust instead of the system's.
  public var caFile: String?
  /// Whether the certificate is not checked; `nil` means no.
  public var isInsecure: Bool?

  /// Creates a trust; `nil` for the system's.
  public init?(caFile: String?, isInsecure: Bool = false) {
    guard caFile != nil || isInsecure else { return nil }
    (self.caFile, self.isInsecure) = (caFile, isInsecure ? true : nil)
  }
}
