// What is asked of a server, and how: everything about a job that does not change while it runs.

/// One request: method, URL, fields, and the way to the server. What is secret in it belongs to the origin
/// of ``url`` and is sent to no other (P7).
public struct TransferRequest: Sendable, Equatable, Codable {
  /// The URL, without user name and password.
  public var url: RequestURL
  /// The method; `GET` by default.
  public var method: String
  /// Fields of the user's own, in order; one with an empty value takes the field of that name away.
  public var headers: [HeaderField]
  /// The `User-Agent`; `nil` is dray's own.
  public var userAgent: String?
  /// The `Referer`.
  public var referer: String?
  /// The `Cookie` field's value.
  public var cookie: String?
  /// User name and password.
  public var credentials: Credentials?
  /// The `.netrc` to take credentials from.
  public var netrcFile: String?
  /// The user whose password ``netrcFile`` has, where a name was given without one.
  public var netrcUser: String?
  /// The proxy's URL; `nil` leaves it to the environment, empty is none.
  public var proxy: String?
  /// A file of certificates to trust instead of the system's.
  public var caFile: String?
  /// Whether certificates are not checked.
  public var isInsecure: Bool
  /// The addresses that may be used.
  public var addressFamily: AddressFamily
  /// Seconds until a connection must stand.
  public var connectTimeout: Double
  /// Seconds over which less than 1 KiB/s is a stall.
  public var stallTimeout: Double
  /// The body to send; `nil` is none.
  public var body: RequestBody?
  /// How to authenticate beyond user name and password; `nil` is as libcurl does by itself.
  public var authentication: AuthenticationOptions?
  /// Which cookies are sent and kept beyond ``cookie``.
  public var cookies: CookieOptions?
  /// Which redirects are followed, and how; `nil` is as browsers do.
  public var redirects: RedirectOptions?
  /// Whether what is fetched already may do; `nil` is to fetch.
  public var cache: CachePolicy?
  /// Signs the request for Amazon's S3 and what speaks like it.
  public var signature: AWSSignature?
  /// What is wanted of schemes other than http and https.
  public var schemes: SchemeOptions?

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

  /// Whether the request may be repeated without being asked for again (RFC 9110 §9.2.1; P10).
  public var isSafe: Bool { (method == "GET" || method == "HEAD") && body == nil }
}

/// Commands that are told how a job ended.
public struct Hooks: Sendable, Equatable, Codable {
  /// Run when it is complete: a program and its arguments.
  public var onComplete: [String]?
  /// Run when it failed or was interrupted by a failure.
  public var onError: [String]?

  /// None.
  public init() {}
}
