// The limits on jobs that programs request from the service. A program may belong to anyone, so it may do less than
// this machine's user.

/// A permission that the user must give by name before a job from outside may have the feature.
public enum OutsideGrant: String, Sendable, CaseIterable {
  /// URLs that read local files or use the user's keys: `file`, `sftp`, `s3`.
  case keys
  /// Local files that a request reads: certificates, keys, cookies, `.netrc`, a body.
  case files
  /// The choice of a proxy or another way to the server, which sees the transferred data.
  case proxy
  /// To skip certificate checks, or to trust other certificates.
  case insecure
  /// Commands that run when the job ends.
  case hooks
}

/// The rule for jobs from outside.
public struct OutsideRule: Sendable, Equatable {
  /// The allowed directories.
  public var directories: AllowedDirectories
  /// The permissions given by the user.
  public var grants: Set<OutsideGrant>
  /// Whether servers in private networks are refused (``TransferRequest/deniesPrivate``).
  public var deniesPrivate: Bool
  /// The expansion of `~` in directories that programs name; `nil` leaves it unchanged.
  public var home: String?

  /// Creates a rule.
  public init(directories: AllowedDirectories, grants: Set<OutsideGrant> = [], deniesPrivate: Bool = false) {
    (self.directories, self.grants, self.deniesPrivate) = (directories, grants, deniesPrivate)
  }

  /// Returns the job in the form in which it may be queued.
  /// - Parameter present: The present job if the program changes one. Its features were given by its user and stay
  ///   allowed.
  /// - Throws: ``Failure`` of the kind `usage` that names the refused feature.
  public func permitted(
    _ specification: JobSpecification, changing present: JobSpecification? = nil
  ) throws(Failure) -> JobSpecification {
    let had = present.map(OutsideRule.wants) ?? []
    let missing = OutsideRule.wants(specification).first { !grants.contains($0.grant) && !had.contains($0) }
    if let want = missing {
      throw Failure(
        .usage, specification.request.url.description, "\(want.what) is not allowed from here",
        advice: "the service's user can allow it: dray serve --allow \(want.grant.rawValue)", recovery: .keep)
    }
    let stays = present.map { ($0.place, $0.output) == (specification.place, specification.output) } ?? false
    var permitted = stays ? specification : try directories.confine(specification)
    if present == nil, deniesPrivate { permitted.request.deniesPrivate = true }
    return permitted
  }

  /// A feature of a job that needs a permission.
  public struct Want: Sendable, Equatable {
    /// The required permission.
    public var grant: OutsideGrant
    /// The feature, as the beginning of a sentence.
    public var what: String
  }

  /// Returns the features of a job that need permissions.
  public static func wants(_ job: JobSpecification) -> [Want] {
    let request = job.request
    var wants: [Want] = []
    func want(_ grant: OutsideGrant, _ what: @autoclosure () -> String, _ isThere: Bool) {
      if isThere { wants.append(Want(grant: grant, what: what())) }
    }
    for url in [request.url] + (job.options.mirrors ?? []) {
      let isAllowed = Scheme(url).map { SchemePolicy.allows($0, from: .document) } ?? false
      want(.keys, "a URL of the scheme \(url.scheme)", !isAllowed)
    }
    want(.keys, "a signature with keys of this machine", request.signature != nil)
    want(.files, "a .netrc", request.netrcFile != nil)
    want(.files, "a body", request.body != nil)
    want(.files, "a file of cookies", request.cookies?.files != nil || request.cookies?.jar != nil)
    want(.files, "a client certificate", has(request.authentication, \.clientCertificate, \.clientKey))
    want(.files, "a file of keys", request.schemes?.privateKeyFile != nil || request.schemes?.knownHostsFile != nil)
    want(.files, "a key file for signatures", job.options.verifyKey?.contains("/") ?? false)
    want(.files, "a partial file of another program", job.options.adopts != nil || job.options.moving != nil)
    want(.insecure, "a certificate of one's own choice", has(request.authentication, \.caPath) || request.caFile != nil)
    want(.insecure, "not to check certificates", request.isInsecure)
    want(.proxy, "a proxy", request.proxy.map { !$0.isEmpty } ?? false)
    want(.proxy, "a fixed address of a host", !(request.addresses ?? []).isEmpty)
    want(.proxy, "an interface", request.interface != nil)
    want(.proxy, "a door of this service", request.reachesOwnService ?? false)
    want(.hooks, "a command", job.options.hooks != nil)
    return wants
  }

  private static func has(
    _ options: AuthenticationOptions?, _ paths: KeyPath<AuthenticationOptions, String?>...
  ) -> Bool {
    paths.contains { path in options.map { $0[keyPath: path] != nil } ?? false }
  }
}
