// AWS Signature Version 4, as made by libcurl (CURLOPT_AWS_SIGV4(3)).

/// The signature and the server of a request to S3 or a compatible service.
///
/// Keys from options or the environment are in the request's credentials and stored with the job, because a later
/// runner does not have that environment. Keys of a profile are not stored but looked up at each attempt, so that
/// renewed keys are used.
public struct AWSSignature: Sendable, Hashable, Codable {
  /// The region to assume if none is known.
  public static let defaultRegion = "us-east-1"

  /// The region, for example `eu-central-1`.
  public var region: String
  /// The name of the service.
  public var service: String
  /// The token of temporary credentials.
  public var sessionToken: String?
  /// The server to use instead of Amazon's.
  public var endpoint: RequestURL?
  /// The profile whose keys are looked up at each attempt; `nil` if there are no keys, or if they are in the request.
  public var profile: String?
  /// The profile files to search; the credentials file comes first.
  public var profileFiles: [String]?
  /// The file of trusted certificates that `AWS_CA_BUNDLE` or the profile's `ca_bundle` names; `nil` if neither does.
  public var caBundle: String?
  /// What the job's options say about trust, for a target without ``caBundle``; `nil` for the system's certificates.
  /// For a source, the request says it.
  public var trust: ServerTrust?

  /// Creates a signature for a region.
  public init(region: String = defaultRegion, service: String = "s3", sessionToken: String? = nil) {
    self.region = region
    self.service = service
    self.sessionToken = sessionToken
  }

  /// The server as one text. If it is equal, two requests for one bucket and key reach the same object (P23). The text
  /// is the endpoint; without one, it is Amazon's partition, because each partition has its own buckets; empty for the
  /// usual partition.
  public var server: String {
    guard let endpoint else { return AWSSignature.partitions.first { region.hasPrefix($0) } ?? "" }
    var text = endpoint.string[...]
    while text.hasSuffix("/") { text.removeLast() }
    return String(text)
  }

  /// The beginnings of the names of regions in Amazon's other partitions.
  public static let partitions = ["cn-", "us-gov-"]
}

extension AWSSignature {
  /// What requests to a target trust; `nil` for the system's certificates. A file named by Amazon's variables and
  /// profiles takes precedence, because it is meant for this server. The job's options may be meant for the source.
  public var targetTrust: ServerTrust? { ServerTrust(caFile: caBundle) ?? trust }
}
