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

extension AWSSignature {
  /// The trust for requests to a target; `nil` for the system's. A file from Amazon's variables and profiles is for the
  /// target's server. The job's options may be for the source.
  public var targetTrust: ServerTrust? { ServerTrust(caFile: caBundle) ?? trust }
}

extension TransferRequest {
  /// The trust that the options give.
  public var trust: ServerTrust? { ServerTrust(caFile: caFile, isInsecure: isInsecure) }

  /// Returns the file of certificates to trust at a hop; `nil` for the system's. The signature's file is for the server
  /// of the job's URL only.
  public func caFile(at url: RequestURL) -> String? {
    guard caFile == nil, let bundle = signature?.caBundle, url.origin == address.origin else { return caFile }
    return bundle
  }
}
