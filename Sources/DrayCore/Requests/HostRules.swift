// What requests to some hosts carry beside what their jobs ask for: the [host] sections of the configuration.

/// Settings for the hosts of one pattern; `nil` leaves a thing as it is.
public struct HostSettings: Sendable, Equatable {
  /// Fields to send.
  public var headers: [HeaderField] = []
  /// User name and password.
  public var credentials: Credentials?
  /// A bearer token (RFC 6750).
  public var bearer: String?
  /// The `Cookie` field's value.
  public var cookie: String?
  /// The `User-Agent`.
  public var userAgent: String?
  /// The `Referer`.
  public var referer: String?
  /// The proxy's URL; empty is none.
  public var proxy: String?
  /// A file of certificates to trust instead of the system's.
  public var caFile: String?
  /// Whether certificates are not checked.
  public var isInsecure: Bool?
  /// Seconds until a connection must stand.
  public var connectTimeout: Double?
  /// Seconds over which less than 1 KiB/s is a stall.
  public var stallTimeout: Double?
  /// Bytes a second of one job.
  public var rateLimit: Int64?
  /// Connections to one file at once.
  public var maxConnections: Int?
  /// Retries without new ground.
  public var retries: Int?
  /// Seconds before the first retry.
  public var retryWait: Double?

  /// None.
  public init() {}

  /// Whether there is anything in it that belongs to the host alone.
  var hasSecrets: Bool { credentials != nil || bearer != nil || cookie != nil || !headers.isEmpty }

  /// Without what belongs to the host alone.
  var withoutSecrets: HostSettings {
    var copy = self
    (copy.headers, copy.credentials, copy.bearer, copy.cookie) = ([], nil, nil, nil)
    return copy
  }

  /// These settings, with what is missing taken from less specific ones.
  func completed(by other: HostSettings) -> HostSettings {
    var copy = self
    let names = Set(headers.map { $0.name.lowercased() })
    copy.headers += other.headers.filter { !names.contains($0.name.lowercased()) }
    // One way to authenticate is not mixed with another.
    if credentials == nil, bearer == nil { (copy.credentials, copy.bearer) = (other.credentials, other.bearer) }
    copy.cookie = cookie ?? other.cookie
    copy.userAgent = userAgent ?? other.userAgent
    copy.referer = referer ?? other.referer
    copy.proxy = proxy ?? other.proxy
    copy.caFile = caFile ?? other.caFile
    copy.isInsecure = isInsecure ?? other.isInsecure
    copy.connectTimeout = connectTimeout ?? other.connectTimeout
    copy.stallTimeout = stallTimeout ?? other.stallTimeout
    copy.rateLimit = rateLimit ?? other.rateLimit
    copy.maxConnections = maxConnections ?? other.maxConnections
    copy.retries = retries ?? other.retries
    copy.retryWait = retryWait ?? other.retryWait
    return copy
  }
}

/// Settings by patterns of hosts. What is secret in them is bound to the hosts of its pattern, and goes over `http` only
/// where the pattern says so (P7). It is never part of a job.
public struct HostRules: Sendable, Equatable {
  /// Settings for one pattern.
  public struct Rule: Sendable, Equatable {
    /// The hosts.
    public var pattern: HostPattern
    /// What holds for them.
    public var settings: HostSettings

    /// Makes a rule.
    public init(_ pattern: HostPattern, _ settings: HostSettings) {
      self.pattern = pattern
      self.settings = settings
    }
  }

  /// The rules, the most specific first.
  public let rules: [Rule]

  /// Makes a set of rules; their order does not matter.
  public init(_ rules: [Rule] = []) {
    self.rules = rules.sorted { $0.pattern.isMoreSpecific(than: $1.pattern) }
  }

  /// What holds for an origin: each setting from the most specific rule that has it.
  /// - Returns: `nil` where no rule is about it.
  public func settings(for origin: Origin) -> HostSettings? {
    let matching = rules.lazy.filter { $0.pattern.matches(origin) }.map { rule in
      origin.scheme == "http" && rule.pattern.scheme != "http" ? rule.settings.withoutSecrets : rule.settings
    }
    guard let first = matching.first else { return nil }
    return matching.dropFirst().reduce(first) { $0.completed(by: $1) }
  }

  /// The request of one hop: what the job asks for, and what the rules add for the hop's origin. What the job says itself
  /// stands. At an origin that is not the job's own, nothing that belongs to that is left.
  public func request(_ request: TransferRequest, at url: RequestURL) -> TransferRequest {
    guard !rules.isEmpty, let settings = settings(for: url.origin) else { return request }
    var own = request
    if url.origin != request.address.origin, settings.hasSecrets { own.leaveHome(for: url) }
    own.take(settings)
    return own
  }
}

extension TransferRequest {
  /// Gives up all that belongs to the origin of the job's URL, and makes that of `url` its home.
  fileprivate mutating func leaveHome(for url: RequestURL) {
    self.url = url
    (headers, cookie, referer, signature) = ([], nil, nil, nil)
    (credentials, netrcFile, netrcUser) = (nil, nil, nil)
    guard let all = authentication else { return }
    var kept = AuthenticationOptions()
    kept.caPath = all.caPath
    kept.pinnedPublicKey = all.pinnedPublicKey
    kept.proxyCredentials = all.proxyCredentials
    kept.proxyScheme = all.proxyScheme
    authentication = kept
  }

  /// Takes what it does not say itself.
  fileprivate mutating func take(_ settings: HostSettings) {
    let names = Set(headers.map { $0.name.lowercased() })
    headers += settings.headers.filter { !names.contains($0.name.lowercased()) }
    let isAuthenticated =
      credentials != nil || authentication?.bearer != nil || netrcFile != nil
      || names.contains("authorization")
    if !isAuthenticated {
      credentials = settings.credentials
      if let bearer = settings.bearer {
        var all = authentication ?? AuthenticationOptions()
        all.bearer = bearer
        authentication = all
      }
    }
    cookie = cookie ?? settings.cookie
    userAgent = userAgent ?? settings.userAgent
    referer = referer ?? settings.referer
    proxy = proxy ?? settings.proxy
    caFile = caFile ?? settings.caFile
    if settings.isInsecure == true { isInsecure = true }
  }
}
