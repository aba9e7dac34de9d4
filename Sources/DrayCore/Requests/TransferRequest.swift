/// A request: method, URL, header fields and connection options. Its secrets belong to the origin of ``url`` and are
/// sent only there (P7).
public struct TransferRequest: Sendable, Equatable, Codable {
  /// The URL, without user name and password.
  public var url: RequestURL
  /// The method; `GET` by default.
  public var method: String
  /// The user's header fields, in order. A field with an empty value is not sent.
  public var headers: [HeaderField]
  /// The `User-Agent`; `nil` means dray's own.
  public var userAgent: String?
  /// The `Referer`.
  public var referer: String?
  /// The value of the `Cookie` field.
  public var cookie: String?
  /// The user name and password.
  public var credentials: Credentials?
  /// The `.netrc` from which to read credentials.
  public var netrcFile: String?
  /// The user whose password is looked up in ``netrcFile``, if a name was given without a password.
  public var netrcUser: String?
  /// Whether to ignore the `default` entry of ``netrcFile``: the origin was named by a server or a document, and not by
  /// the user (P7).
  public var netrcSkipsDefault: Bool?
  /// The URL of the proxy; empty for no proxy, `nil` for the proxy in the environment.
  public var proxy: String?
  /// A file of certificates to trust in place of the system's.
  package var caFile: String?
  /// Whether certificates are not checked.
  public var isInsecure: Bool
  /// The address families that may be used.
  public var addressFamily: AddressFamily
  /// The connection timeout in seconds.
  public var connectTimeout: Double
  /// The seconds for which the rate may be below ``stallRate``.
  public var stallTimeout: Double
  /// The rate in bytes per second below which a transfer counts as stalled.
  public static let stallRate: Int64 = 1024
  /// The body to send; `nil` for none.
  public var body: RequestBody?
  /// Authentication beyond user name and password; `nil` for libcurl's default.
  @Boxed public var authentication: AuthenticationOptions?
  /// The cookies to send and keep, in addition to ``cookie``.
  public var cookies: CookieOptions?
  /// The options for redirects; `nil` follows them as browsers do.
  public var redirects: RedirectOptions?
  /// The policy for an existing target; `nil` to fetch unconditionally.
  @Boxed public var cache: CachePolicy?
  /// The signature for Amazon S3 and compatible services.
  @Boxed package var signature: AWSSignature?
  /// The HTTP version to request; `nil` for the best available.
  public var httpVersion: HTTPVersion?
  /// Addresses that the user gives for hosts; `nil` for name lookup.
  public var addresses: [FixedAddress]?
  /// The local interface or address from which to send, or several of them, separated by commas; `nil` for the system's
  /// choice.
  public var interface: String?
  /// Options for schemes other than http and https.
  @Boxed public var schemes: SchemeOptions?
  /// Whether to refuse this machine and servers in private networks, even after a name lookup or a redirect; `nil`
  /// means no.
  public var deniesPrivate: Bool?
  /// Whether a client of the service added, changed or restarted the job; `nil` if the job is the user's.
  public var isOfClient: Bool?
  /// Whether the request may connect to this user's own service, even after a redirect; `nil` means no.
  public var reachesOwnService: Bool?
  /// How often requests to the server may start; `nil` for no limit.
  public var pace: RequestPace?
  /// The maximum number of random seconds that are added to the pause before a request; `nil` for none.
  public var jitter: Double?

  /// Creates a plain GET of `url`.
  public init(url: RequestURL) {
    self.url = url
    method = "GET"
    headers = []
    isInsecure = false
    addressFamily = .any
    connectTimeout = 30
    stallTimeout = 30
  }

  /// Sets the user name and password. If there is no password, it is looked up in the .netrc file, if any.
  package mutating func takeUser(_ user: String, _ password: String?, hasNetrc: Bool = false) {
    let isInNetrc = password == nil && (hasNetrc || netrcFile != nil)
    netrcUser = isInNetrc ? user : nil
    credentials = isInNetrc ? nil : Credentials(user: user, password: password ?? "")
  }

  /// Whether the request may be repeated automatically (RFC 9110 §9.2.1; P10).
  public var isSafe: Bool { (method == "GET" || method == "HEAD") && body == nil }
}

/// The commands to run when a job ends.
public struct Hooks: Sendable, Equatable, Codable {
  /// The program and arguments to run when the job is complete.
  public var onComplete: [String]?
  /// The program and arguments to run when a failure ended or interrupted the job.
  public var onError: [String]?

  /// Creates hooks without commands.
  public init() {}
}

extension TransferRequest {
  /// The trust that the options of the request give.
  public var trust: ServerTrust? { ServerTrust(caFile: caFile, isInsecure: isInsecure) }

  /// Returns the file of trusted certificates for a request to `url`, which may come from a redirect; `nil` for the
  /// system's certificates. The file in the signature applies only to the server of the job's URL.
  package func caFile(at url: RequestURL) -> String? {
    guard caFile == nil, let bundle = signature?.caBundle, url.origin == address.origin else { return caFile }
    return bundle
  }
}
