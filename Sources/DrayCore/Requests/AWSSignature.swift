// AWS Signature Version 4, as made by libcurl (CURLOPT_AWS_SIGV4(3)).

/// The signature and the server of a request to S3 or a compatible service.
///
/// Keys from options or the environment are stored with the job, in the request's credentials, because a later runner
/// does not have the same environment. Keys of a profile are not stored but looked up at each attempt, so that renewed
/// keys are used.
public struct AWSSignature: Sendable, Hashable, Codable {
  /// The region to assume if none is known.
  public static let defaultRegion = "us-east-1"

  /// The region, for example `eu-central-1`.
  public var region: String
  /// The name of the service.
  public var service: String
  /// The token of temporary credentials.
  public var sessionToken: String?
  /// The server to use in place of Amazon's.
  public var endpoint: RequestURL?
  /// The profile whose keys are looked up at each attempt; `nil` if there are no keys, or if they are in the request.
  public var profile: String?
  /// The profile files to search; the credentials file comes first.
  public var profileFiles: [String]?
  /// The file of trusted certificates that `AWS_CA_BUNDLE` or the profile's `ca_bundle` names; `nil` if neither does.
  public var caBundle: String?
  /// The trust that the job's options give, for a target without ``caBundle``; `nil` for the system's certificates. For
  /// a source, the request has the trust instead.
  public var trust: ServerTrust?

  /// Creates a signature for a region.
  public init(region: String = defaultRegion, service: String = "s3", sessionToken: String? = nil) {
    self.region = region
    self.service = service
    self.sessionToken = sessionToken
  }

  /// The server as one text. If the servers of two requests are equal, the same bucket and key mean the same object
  /// (P23). The text is the endpoint. Without an endpoint, it is Amazon's partition, because each partition has
  /// separate buckets; it is empty for the default partition.
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
  /// The trust for requests to a target; `nil` for the system's certificates. A file named by Amazon's variables and
  /// profiles takes precedence, because it is meant for this server. The job's options, however, may be meant for the
  /// source.
  public var targetTrust: ServerTrust? { ServerTrust(caFile: caBundle) ?? trust }
}
