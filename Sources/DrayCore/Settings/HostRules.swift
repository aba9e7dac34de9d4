// Additional settings for requests to certain hosts: the [host] sections of the configuration.

/// Settings for the hosts of one pattern. A property that is `nil` leaves the request as it is.
public struct HostSettings: Sendable, Equatable {
  /// Header fields to send.
  public var headers: [HeaderField] = []
  /// User name and password.
  public var credentials: Credentials?
  /// A bearer token (RFC 6750).
  public var bearer: String?
  /// The checked texts of the other settings, by name.
  public private(set) var values: [String: String] = [:]

  /// Creates empty settings.
  public init() {}

  /// The text of the setting with this name; `nil` leaves the request as it is.
  public subscript(_ name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The settings that a section may have in ``values``.
  package static let settings = Setting.all.filter { $0.host != nil }

  /// The keys of a section, in the order of the manual page. The first four are separate properties because they do not
  /// merge key by key: header fields accumulate, and credentials replace each other as a whole.
  package static let keys = ["header", "user", "password", "oauth2-bearer"] + settings.map(\.name)

  private static let secretKeys = Set(settings.filter(\.isOfOneServer).map(\.name))

  /// Whether there are values that may be sent only to the pattern's hosts.
  var hasSecrets: Bool {
    credentials != nil || bearer != nil || !headers.isEmpty
      || values.keys.contains(where: HostSettings.secretKeys.contains)
  }

  /// These settings without the values that may be sent only to the pattern's hosts.
  var withoutSecrets: HostSettings {
    var copy = self
    (copy.headers, copy.credentials, copy.bearer) = ([], nil, nil)
    copy.values = values.filter { !HostSettings.secretKeys.contains($0.key) }
    return copy
  }

  /// Returns these settings, completed with values from a less specific rule.
  func completed(by other: HostSettings) -> HostSettings {
    var copy = self
    let names = Set(headers.map { $0.name.lowercased() })
    copy.headers += other.headers.filter { !names.contains($0.name.lowercased()) }
    // A user name with a password and a bearer token exclude each other, so take both from the same rule.
    if credentials == nil, bearer == nil { (copy.credentials, copy.bearer) = (other.credentials, other.bearer) }
    copy.values.merge(other.values) { own, _ in own }
    return copy
  }

  /// Applies the settings to a new job. Settings that are applied at each redirect are cleared in the job; otherwise
  /// the job's value, which may come from a general section of the configuration, would take precedence over them.
  /// - Parameter given: The user's options, which take precedence.
  package func apply(to job: inout JobSpecification, given: Set<String>) {
    for setting in HostSettings.settings where !given.contains(setting.name) {
      guard let text = values[setting.name] else { continue }
      switch setting.host {
      case .whenAdded, .both: try? setting.set([text], in: &job)
      case .atEachRedirect: if !setting.isOfOneServer { try? setting.set([], in: &job) }
      case nil: break
      }
    }
  }
}

/// Settings by patterns of hosts. Secrets go only to the hosts of their pattern, and over `http` only if the pattern
/// says so (P7). Rules are never part of a job.
public struct HostRules: Sendable, Equatable {
  /// Settings for one pattern.
  public struct Rule: Sendable, Equatable {
    /// The hosts.
    public var pattern: HostPattern
    /// The settings.
    public var settings: HostSettings

    /// Creates a rule.
    public init(_ pattern: HostPattern, _ settings: HostSettings) {
      self.pattern = pattern
      self.settings = settings
    }
  }

  /// The rules, the most specific first.
  public let rules: [Rule]

  /// Creates a set of rules, given in any order.
  public init(_ rules: [Rule] = []) {
    self.rules = rules.sorted { $0.pattern.isMoreSpecific(than: $1.pattern) }
  }

  /// Returns the settings for an origin; each value is from the most specific rule that has it. `nil` if no rule
  /// applies.
  package func settings(for origin: Origin) -> HostSettings? {
    merged(for: origin, withSecrets: origin.scheme != "http")
  }

  /// Whether an origin would have more settings if secrets were sent over `http`.
  package func withholdsSecrets(from origin: Origin) -> Bool {
    settings(for: origin) != merged(for: origin, withSecrets: true)
  }

  /// - Parameter withSecrets: Whether secrets are included although their pattern does not say `http`.
  private func merged(for origin: Origin, withSecrets: Bool) -> HostSettings? {
    let matching = rules.lazy.filter { $0.pattern.matches(origin) }.map { rule in
      withSecrets || rule.pattern.scheme == "http" ? rule.settings : rule.settings.withoutSecrets
    }
    guard let first = matching.first else { return nil }
    return matching.dropFirst().reduce(first) { $0.completed(by: $1) }
  }

  /// Returns the job's request with the rules' settings for `url`, to which it was redirected. The job's own values
  /// take precedence. If a rule with secrets applies to another origin, the request to that origin carries none of the
  /// values meant for the job's origin.
  package func request(_ request: TransferRequest, at url: RequestURL) -> TransferRequest {
    guard !rules.isEmpty, let settings = settings(for: url.origin) else { return request }
    var own = request
    if url.origin != request.address.origin, settings.hasSecrets { own.leaveHome(for: url) }
    own.take(settings)
    return own
  }
}

extension TransferRequest {
  /// Removes all values that are meant for the origin of the job's URL, and sets the URL to `url`.
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
    guard !settings.values.isEmpty else { return }
    var job = JobSpecification(request: self, directory: "/")
    for setting in HostSettings.settings where setting.host != .whenAdded {
      if let text = settings[setting.name], setting.isReset(in: job) { try? setting.set([text], in: &job) }
    }
    self = job.request
  }
}
