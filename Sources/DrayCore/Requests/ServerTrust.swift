/// How the certificate of an S3 server is checked, if not as the system does it.
public struct ServerTrust: Sendable, Hashable, Codable {
  /// A file of certificates to trust in place of the system's.
  public var caFile: String?
  /// Whether the certificate is not checked; `nil` means no.
  public var isInsecure: Bool?

  /// Creates a trust; `nil` if nothing differs.
  public init?(caFile: String?, isInsecure: Bool = false) {
    guard caFile != nil || isInsecure else { return nil }
    (self.caFile, self.isInsecure) = (caFile, isInsecure ? true : nil)
  }
}
