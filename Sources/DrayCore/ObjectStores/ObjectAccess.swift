/// The server, the region and the keys for requests to an object store.
///
/// Keys of a profile are looked up at each attempt and not stored, as for `s3` URLs.
public struct ObjectAccess: Sendable, Hashable, Codable {
  /// The server, the region, and how to sign.
  package var signature: AWSSignature
  /// The keys; `nil` for a profile's keys, and for requests that are not signed.
  public var credentials: Credentials?

  /// Creates an access.
  public init(signature: AWSSignature, credentials: Credentials? = nil) {
    (self.signature, self.credentials) = (signature, credentials)
  }
}
