// What jobs may have that a program asks for over a server's doors: it may be anybody's, and is not the user of this machine.

/// What a user has to allow by name before such a job may have it.
public enum OutsideGrant: String, Sendable, CaseIterable {
  /// URLs that read files of this machine, or take the keys of its user: `file`, `sftp`, `s3`.
  case keys
  /// Files of this machine that a request reads: certificates, keys, cookies, `.netrc`, a body.
  case files
  /// To choose a proxy, or another way to the server: it sees what is fetched.
  case proxy
  /// Not to check certificates, or to trust others.
  case insecure
  /// Commands that are run when the job ends.
  case hooks
}

/// What is refused, by what of a job it is.
public struct OutsideRule: Sendable, Equatable {
  /// Where files may go.
  public var directories: AllowedDirectories
  /// What is allowed all the same.
  public var grants: Set<OutsideGrant>
  /// Whether servers in private networks are refused (``TransferRequest/deniesPrivate``).
  public var deniesPrivate: Bool

  /// Makes the rule.
  public init(directories: AllowedDirectories, grants: Set<OutsideGrant> = [], deniesPrivate: Bool = false) {
    (self.directories, self.grants, self.deniesPrivate) = (directories, grants, deniesPrivate)
  }

  /// The job as it may be queued.
  /// - Parameter present: the job as it is, which such a program wants to change: what it has, its user has given it.
  /// - Throws: kind `usage`, naming what is not allowed.
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

  /// Something that a job has, and what it takes to have it.
  public struct Want: Sendable, Equatable {
    /// What must be allowed.
    public var grant: OutsideGrant
    /// What it is, the beginning of a sentence.
    public var what: String
  }

  /// What of a job has to be allowed.
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
