// Signature Version 4 of Amazon Web Services, as libcurl makes it (CURLOPT_AWS_SIGV4(3)).

/// How a request to S3, or a compatible service, is signed, and its server.
///
/// Keys from options or the environment are in the request's credentials, and stored with the job: a runner
/// started later does not have that environment. Keys of a profile are not stored; they are looked up at each
/// attempt, so that renewed ones are used.
public struct AWSSignature: Sendable, Equatable, Codable {
  /// The region if none is known.
  public static let defaultRegion = "us-east-1"

  /// The region, such as `eu-central-1`.
  public var region: String
  /// The name of the service.
  public var service: String
  /// The token of temporary credentials.
  public var sessionToken: String?
  /// The server to use instead of Amazon's.
  public var endpoint: RequestURL?
  /// The profile whose keys are looked up at each attempt; `nil` if they are in the request, or there are none.
  public var profile: String?
  /// The files that profiles are looked up in, the one with the keys first.
  public var profileFiles: [String]?

  /// Makes one for a region.
  public init(region: String = defaultRegion, service: String = "s3", sessionToken: String? = nil) {
    self.region = region
    self.service = service
    self.sessionToken = sessionToken
  }
}
