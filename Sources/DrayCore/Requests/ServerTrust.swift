/// How the certificate of an S3 server is checked, where this differs from the system's way.
public struct ServerTrust: Sendable, Hashable, Codable {
  /// A file of certificates to trust instead of the system's.
  public var caFile: String?
  /// Whether the certificate is not checked; `nil` means no.
  public var isInsecure: Bool?

  /// Creates a trust; `nil` if nothing differs.
  public init?(caFile: String?, isInsecure: Bool = false) {
    guard caFile != nil || isInsecure else { return nil }
    (self.caFile, self.isInsecure) = (caFile, isInsecure ? true : nil)
  }
}
