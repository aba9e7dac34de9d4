// Limits what jobs may do that other programs request from the service. Such a program may belong to anyone, so it may
// do less than this machine's user.

/// A permission that the user grants by name. Without the permission, no job from a client may have the feature.
package enum OutsideGrant: String, Sendable, CaseIterable {
  /// URLs that read local files or use the user's keys: `file`, `sftp`, `s3`.
  case keys
  /// Local files that a request reads: certificates, keys, cookies, `.netrc`, a body.
  case files
  /// A proxy, or another way to the server: its operator sees the transferred data.
  case proxy
  /// Skipping the check of certificates, or trusting other certificates.
  case insecure
  /// Commands that run when the job ends.
  case hooks
}

/// The rule for jobs that clients of the service request.
package struct OutsideRule: Sendable, Equatable {
  /// The directories in which clients may store files.
  package var directories: AllowedDirectories
  /// The permissions that the user has granted.
  package var grants: Set<OutsideGrant>
  /// Whether servers in private networks are refused (``TransferRequest/deniesPrivate``).
  package var deniesPrivate: Bool
  /// The replacement for `~` in directories that clients name; `nil` leaves `~` unchanged.
  package var home: String?

  /// Creates a rule.
  package init(directories: AllowedDirectories, grants: Set<OutsideGrant> = [], deniesPrivate: Bool = false) {
    (self.directories, self.grants, self.deniesPrivate) = (directories, grants, deniesPrivate)
  }

  /// The effect of a client's call on a job.
  package enum Act: Sendable, Hashable, CaseIterable {
    /// Adds a job.
    case add
    /// Changes a job: its URL, mirrors, request, target or checks, or only settings that steer it.
    case change
    /// Begins a job again: starts the job over, or fetches its file in a new job.
    case begin
  }

  /// Returns a client's job in the form in which it may be queued. Any act except steering
  /// (``JobSpecification/isSteered(from:)``) makes it a new job of that client (P22), regardless of its former owner's
  /// permissions.
  ///
  /// - Parameters:
  ///   - specification: The job that the client wants.
  ///   - present: The present job; `nil` for a new one.
  ///   - usual: A plain job of a client with this URL and the settings of the user's configuration, which need no
  ///     permission; `nil` without such settings.
  /// - Throws: ``Failure`` of the kind `usage` that names the refused feature.
  package func permitted(
    _ specification: JobSpecification, _ act: Act = .add, of present: JobSpecification? = nil,
    usual: JobSpecification? = nil
  ) throws(Failure) -> JobSpecification {
    if act == .change, let present, specification.isSteered(from: present) { return specification }
    let own = usual.map { specification.without($0) } ?? specification
    if let want = OutsideRule.wants(own).first(where: { !grants.contains($0.grant) }) {
      throw Failure(
        .usage, specification.request.url.description, "\(want.what) is not allowed from here",
        advice: present == nil
          ? "the service's user can allow it: dray serve --allow \(want.grant.rawValue)"
          : "the job has it from the service's user, who can do this with dray there", recovery: .keep)
    }
    var permitted = try directories.confine(specification)
    // A rule that waits for the answer may choose another directory, so only the configuration's own rules stay.
    if act != .add, permitted.options.lateRules != nil { permitted.options.lateRules = usual?.options.lateRules }
    permitted.request = ofClient(permitted.request, from: present?.request)
    return permitted
  }

  /// Restricts a request to a client's rights: it may not reach servers that are denied to clients, and with a new URL
  /// it does not keep the secrets that the service's user gave for the present URL.
  package func ofClient(_ request: TransferRequest, from present: TransferRequest?) -> TransferRequest {
    var own = request
    if let present, present.isOfClient != true, present.url != request.url { own = request.withoutSecrets(of: present) }
    own.isOfClient = true
    if deniesPrivate { own.deniesPrivate = true }
    return own
  }

  /// Returns a job in the form in which a client may start it over. The job still belongs to its user.
  package func begun(_ present: JobSpecification, usual: JobSpecification? = nil) throws(Failure) -> JobSpecification {
    var begun = try permitted(present, .begin, of: present, usual: usual)
    begun.request.isOfClient = present.request.isOfClient
    return begun
  }

  /// Returns a removed job in the form in which a client may restore it. A job that has ended is restored unchanged.
  /// Any other job would begin again; if the client may not begin such a job, it is paused until the user resumes it.
  package func restored(_ job: Job, usual: JobSpecification? = nil) -> Job {
    guard !job.state.isFinished else { return job }
    var restored = job
    do throws(Failure) {
      restored.specification = try begun(job.specification, usual: usual)
    } catch {
      restored.state = .paused
    }
    return restored
  }

  /// A feature of a job that needs a permission.
  package struct Want: Sendable, Equatable {
    /// The required permission.
    package var grant: OutsideGrant
    /// The feature, as the beginning of a sentence.
    package var what: String
  }

  /// Returns the features of a job that need permissions, including those that come from no setting.
  package static func wants(_ job: JobSpecification) -> [Want] {
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
    want(.files, "a body", request.body != nil)
    want(.files, "the method \(TextSafety.escaped(request.method))", !["GET", "HEAD"].contains(request.method))
    want(.files, "a directory for unfinished files", job.options.partDirectory != nil)
    want(.files, "a file of keys", request.schemes?.privateKeyFile != nil || request.schemes?.knownHostsFile != nil)
    want(.files, "a partial file of another program", job.options.adopts != nil || job.options.moving != nil)
    return wants + guarded.lazy.filter { $0.isThere(job) }.map(\.want)
  }

  private static let guarded = Setting.all.compactMap(\.outside)
}

extension JobSpecification {
  /// Returns the features of this list that `usual` does not have.
  fileprivate func without(_ usual: JobSpecification) -> JobSpecification {
    let plain = JobSpecification(request: TransferRequest(url: request.url), directory: directory)
    var rest = self
    func take<Value: Equatable>(_ path: WritableKeyPath<JobSpecification, Value>) {
      if self[keyPath: path] == usual[keyPath: path] { rest[keyPath: path] = plain[keyPath: path] }
    }
    take(\.request.signature)
    take(\.request.netrcFile)
    take(\.request.cookies)
    take(\.request.authentication)
    take(\.request.schemes)
    take(\.request.caFile)
    take(\.request.isInsecure)
    take(\.request.proxy)
    take(\.request.addresses)
    take(\.request.interface)
    take(\.request.reachesOwnService)
    take(\.options.verifyKey)
    take(\.options.partDirectory)
    take(\.options.hooks)
    return rest
  }
}
