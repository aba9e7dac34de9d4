// Signature Version 4 of Amazon Web Services, as libcurl makes it (CURLOPT_AWS_SIGV4(3)).

/// What a request is signed with.
public struct AWSSignature: Sendable, Equatable, Codable {
  /// The region, such as `eu-central-1`.
  public var region: String
  /// The name of the service.
  public var service: String
  /// The token of temporary credentials.
  public var sessionToken: String?

  /// Makes one for a region.
  public init(region: String, service: String = "s3", sessionToken: String? = nil) {
    self.region = region
    self.service = service
    self.sessionToken = sessionToken
  }
}
