// What the destination has to say before an attempt, and after it.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials

/// What an attempt must do, from the state of its destination. Blocks.
enum AttemptPlan: Sendable {
  case transfer(TransferPlan)
  /// The target is there, and the user wants it to stay.
  case skip(path: String)
  /// The attempt was cancelled meanwhile.
  case cancelled

  static func make(
    _ job: Job, _ cookies: CookieKeeper, _ destinations: DestinationCache
  ) async throws(Failure) -> AttemptPlan {
    let destination = try destinations.open(job.specification.place)
    if let name = job.fileName {
      switch Conflict.look(job.specification, at: name, in: destination, addedAt: job.addedAt) {
      case .none, .upToDate, .replaces: break
      case .skip: return .skip(path: PathText.join(destination.path, name))
      case .refuse(let failure): throw failure
      }
      try destination.checkName(name)
    }
    // Only an earlier attempt can have left cookies of a session.
    let given = try await cookies.given(for: job.specification.request, job: job.attempts > 1 ? job.id : nil)
    return .transfer(try transfer(job, in: destination, given))
  }

  /// What is transferred, of any job and of what is fetched without one. Blocks.
  /// - Parameter cookies: those to begin with.
  static func transfer(
    _ job: Job, in destination: any Destination, _ cookies: [String]
  ) throws(Failure) -> TransferPlan {
    let options = job.specification.options
    // The job's own URL was checked when it was added. A mirror may have another scheme.
    if let objection = job.specification.request.schemeObjection {
      throw Failure(
        .protocolViolation, job.specification.request.url.description, objection, advice: "use another mirror",
        recovery: .keep)
    }
    let request = try job.specification.request.credentialed()
    var plan = try TransferPlan(
      request: request, destination: destination, partName: job.partFileName,
      recorded: job.checkpoint, resume: options.resume, digestIsKnown: options.digest != nil)
    plan.isLastTry = job.retry.used >= options.retries
    plan.hadUnsatisfied = JobNote.saysUnsatisfied(job.note)
    plan.isListed = options.isListed ?? false
    plan.cookies = cookies
    plan.digest = options.digest
    plan.verify = options.verify ?? .offered
    // What an earlier attempt was offered does not count any more where nothing that is offered does.
    if plan.verify == .none { plan.checkpoint.offered = [] }
    plan.expectedSize = options.expectedSize
    plan.maxSize = options.maxSize.map(SizeLimit.init)
    plan.expectedType = options.expectedType
    plan.keepsAnswer = SubmissionRule.keepsAnswer(to: request, output: job.specification.output)
    plan.condition = condition(job, destination)
    // After a digest that did not match, all comes in one answer of one server.
    if job.failure?.kind != .integrity {
      plan.maxConnections = options.maxConnections ?? JobOptions.defaultConnections
      plan.mirrors = mirrors(of: job)
    }
    return plan
  }

  /// The file's other URLs, each as the request that goes there.
  private static func mirrors(of job: Job) -> [TransferRequest] {
    let request = job.specification.request
    let others = (job.specification.options.mirrors ?? []).filter { $0 != request.url }
    let all = [job.ownRequest].compactMap(\.self) + others.map { request.moved(to: $0) }
    return all.filter { $0.schemeObjection == nil }
  }

  /// What to ask about the target that is there, where it is to be replaced only if it changed.
  private static func condition(_ job: Job, _ destination: any Destination) -> CacheCondition? {
    guard job.specification.request.method == "GET", let baseline = job.specification.request.cache?.ifChanged,
      let found = (job.fileName ?? baseline.name).flatMap({ destination.identity(of: $0) })
    else { return nil }
    return baseline.condition(for: found)
  }
}

/// Fixes the name of a target from the answer.
enum TargetFixing {
  /// The name, now fixed, and what is in its way. Blocks.
  static func fix(
    _ job: Job, _ response: ResponseRecord, size: Int64?, store: any JobStoring, runner: UUID,
    _ destinations: DestinationCache
  ) async throws(Failure) -> (String, Conflict) {
    let path = job.specification.directory
    // The attempt created it: if it was removed since, it is not created again empty.
    guard let destination = try destinations.find(job.specification.place) else { throw .moved(path) }
    let policy = job.specification.options.onConflict
    let name = try await store.fixName(
      job.id, runner: runner, directory: path, name: TargetName.choose(response, ownName: job.ownName), policy: policy,
      exists: { Conflict.isTaken($0, for: job.specification, in: destination) })
    guard let name else { throw Failure.leaseLost(job.id) }
    try destination.checkName(name)
    let conflict = Conflict.look(job.specification, at: name, in: destination, addedAt: job.addedAt)
    if conflict == .none, isUpToDate(job, name, destination, response, size: size) { return (name, .upToDate) }
    return (name, conflict)
  }

  /// Whether a target that only the server could name is of its version all the same: the length is the same, and it is
  /// not older (wget's rule).
  private static func isUpToDate(
    _ job: Job, _ name: String, _ destination: any Destination, _ response: ResponseRecord, size: Int64?
  ) -> Bool {
    guard let baseline = job.specification.request.cache?.ifChanged, baseline.name == nil, response.head.status == 200,
      let found = destination.identity(of: name)
    else { return false }
    return baseline.condition(for: found).isMet(by: response.head, length: size)
  }
}
