// A request to a server: everything about a job that does not change while it runs.

/// One request: method, URL, fields, and the connection options. Secrets in it belong to the origin
/// of ``url`` and are sent to no other (P7).
public struct TransferRequest: Sendable, Equatable, Codable {
  /// The URL, without user name and password.
  public var url: RequestURL
  /// The method; by default `GET`.
  public var method: String
  /// Fields of the user's own, in order; one with an empty value removes the field of that name.
  public var headers: [HeaderField]
  /// The `User-Agent`; `nil` is dray's own.
  public var userAgent: String?
  /// The `Referer`.
  public var referer: String?
  /// The `Cookie` field's value.
  public var cookie: String?
  /// User name and password.
  public var credentials: Credentials?
  /// The `.netrc` to read credentials from.
  public var netrcFile: String?
  /// The user whose password ``netrcFile`` has, if a name was given without one.
  public var netrcUser: String?
  /// Whether the `default` entry of ``netrcFile`` does not count: a server or a document named the URL's origin, not the user (P7).
  public var netrcSkipsDefault: Bool?
  /// The proxy's URL; `nil` uses the environment, empty means none.
  public var proxy: String?
  /// A file of certificates to trust instead of the system's.
  public var caFile: String?
  /// Whether certificates are not checked.
  public var isInsecure: Bool
  /// The addresses that may be used.
  public var addressFamily: AddressFamily
  /// The connection timeout in seconds.
  public var connectTimeout: Double
  /// Seconds over which less than 1 KiB/s is a stall.
  public var stallTimeout: Double
  /// The body to send; `nil` is none.
  public var body: RequestBody?
  /// Authentication beyond user name and password; `nil` for libcurl's default.
  @Boxed public var authentication: AuthenticationOptions?
  /// Which cookies are sent and kept beyond ``cookie``.
  public var cookies: CookieOptions?
  /// Which redirects are followed, and how; `nil` for the behaviour of browsers.
  public var redirects: RedirectOptions?
  /// Whether an existing target may be kept; `nil`: always fetch.
  @Boxed public var cache: CachePolicy?
  /// Signs the request for Amazon's S3 and compatible services.
  @Boxed public var signature: AWSSignature?
  /// The version of HTTP to ask for; `nil` for the best there is.
  public var httpVersion: HTTPVersion?
  /// Where hosts are instead of where their names lead; `nil` asks for their addresses.
  public var addresses: [FixedAddress]?
  /// The interface or the address of this machine to send from; `nil` leaves it to the system.
  public var interface: String?
  /// Options for schemes other than http and https.
  @Boxed public var schemes: SchemeOptions?
  /// Whether servers in private networks, and this machine, are refused, wherever a name or a redirect leads; `nil` is not.
  public var deniesPrivate: Bool?
  /// Whether it may connect to this user's own service, also after a redirect; `nil` means no.
  public var reachesOwnService: Bool?

  /// A plain GET of `url`.
  public init(url: RequestURL) {
    self.url = url
    method = "GET"
    headers = []
    isInsecure = false
    addressFamily = .any
    connectTimeout = 30
    stallTimeout = 30
  }

  /// Takes a user name, and a password if there is one; else it is looked up in a .netrc, if any.
  public mutating func takeUser(_ user: String, _ password: String?, hasNetrc: Bool = false) {
    let isInNetrc = password == nil && (hasNetrc || netrcFile != nil)
    netrcUser = isInNetrc ? user : nil
    credentials = isInNetrc ? nil : Credentials(user: user, password: password ?? "")
  }

  /// Whether the request may be repeated automatically (RFC 9110 §9.2.1; P10).
  public var isSafe: Bool { (method == "GET" || method == "HEAD") && body == nil }
}

/// Commands that are run when a job has ended.
public struct Hooks: Sendable, Equatable, Codable {
  /// Run when it is complete: a program and its arguments.
  public var onComplete: [String]?
  /// Run when it failed or was interrupted by a failure.
  public var onError: [String]?

  /// None.
  public init() {}
}
