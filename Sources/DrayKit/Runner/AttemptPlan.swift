// Plans attempts by the state of their destinations, and fixes the names of targets.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The first step of an attempt, depending on the state of its destination.
enum AttemptPlan: Sendable {
  indirect case transfer(TransferPlan)
  /// The target exists, and the user wants it to stay.
  case skip(path: String)
  case cancelled

  static func make(
    _ job: Job, _ cookies: CookieKeeper, _ destinations: DestinationCache
  ) async throws(Failure) -> AttemptPlan {
    // Only an earlier attempt can have left session cookies, and an attempt that was handed back does not count.
    let asksServer = job.specification.place.traits.asksServer
    guard job.attempts > 1 || asksServer || !job.checkpoint.segments.isEmpty else {
      return try makeFirst(job, cookies, destinations)
    }
    let destination = try destinations.open(job.specification.place)
    if asksServer, let name = job.fileName { try await destination.prefetch(name) }
    if let skip = try skipped(job, in: destination) { return skip }
    return .transfer(
      try transfer(job, in: destination, try await cookies.given(for: job.specification.request, job: job.id)))
  }

  /// Plans the first attempt at a job. It blocks the calling thread. Unlike ``make(_:_:_:)``, this waits for no server,
  /// because thousands of small files are planned together.
  static func makeFirst(
    _ job: Job, _ cookies: CookieKeeper, _ destinations: DestinationCache
  ) throws(Failure) -> AttemptPlan {
    let destination = try destinations.open(job.specification.place)
    if let skip = try skipped(job, in: destination) { return skip }
    return .transfer(try transfer(job, in: destination, try cookies.givenAtFirst(for: job.specification.request)))
  }

  /// Returns this plan with the tokens of the job's source, which are not stored with the job.
  func completed(by links: LinkSource?, _ job: Job) -> AttemptPlan {
    guard let links, job.specification.options.source != nil, case .transfer(var plan) = self else { return self }
    plan.request = links.completed(plan.request, of: job)
    plan.mirrors = plan.mirrors.map { links.completed($0, of: job) }
    return .transfer(plan)
  }

  /// Returns the plan of a job that leaves its target unchanged; `nil` for other jobs.
  /// - Throws: The refusal, if the target is taken or its name is invalid.
  private static func skipped(_ job: Job, in destination: any Destination) throws(Failure) -> AttemptPlan? {
    if let name = job.fileName {
      switch try Conflict.look(job.specification, at: name, in: destination, addedAt: job.addedAt) {
      case .none, .upToDate, .replaces: break
      // A file of the same length does not stop the job, because its bytes are compared at the end.
      case .refuse
      where try Conflict.mayBeEqual(
        job.specification, at: name, in: destination,
        size: job.checkpoint.size ?? job.specification.options.expectedSize):
        break
      case .skip: return .skip(path: PathText.join(destination.path, name))
      case .refuse(let failure): throw failure
      }
      try destination.checkName(name)
    }
    return nil
  }

  /// Plans the transfer of a job. The call blocks the calling thread.
  /// - Parameter cookies: The cookies to start with.
  private static func transfer(
    _ job: Job, in destination: any Destination, _ cookies: [String]
  ) throws(Failure) -> TransferPlan {
    let options = job.specification.options
    if let refusal = Arranging.refusal(of: job.specification) { throw refusal }
    // The job's own URL was checked when it was added, but a mirror may have another scheme.
    if let objection = job.specification.request.schemeObjection {
      throw Failure(
        .protocolViolation, job.specification.request.url.description, objection, advice: "use another mirror",
        recovery: .keep)
    }
    let request = try job.specification.request.credentialed()
    // A control file describes one version, so its digest proves only bytes that are certainly of this version.
    let seeding = options.seeding.flatMap {
      !job.checkpoint.segments.isEmpty && $0.holds(for: job.checkpoint.validators) ? $0 : nil
    }
    var plan = try TransferPlan(
      request: request, destination: destination, partName: job.partFileName,
      recorded: job.checkpoint, resume: options.resume, digestIsKnown: options.digest != nil || seeding?.digest != nil)
    plan.digestIsOfSeeds = options.digest == nil
    plan.isLastTry = job.retry.used >= options.retries
    plan.isFirstTry = job.retry.used == 0
    plan.retried = options.retryStatuses ?? []
    // The note counts only for automatic retries: if a user requests the file again, the server's file may have
    // changed.
    plan.hadUnsatisfied = job.retry.used > 0 && JobNote.saysUnsatisfied(job.note)
    plan.isListed = options.isListed ?? false
    plan.isInOrder = options.inOrder ?? false
    plan.cookies = cookies
    plan.verify = options.verify ?? .offered
    // If nothing is verified, digests that were offered to an earlier attempt do not count.
    if plan.verify == .none { plan.checkpoint.offered = [] }
    plan.expected = ExpectedFile(
      size: options.expectedSize, maxSize: options.maxSize.map(SizeLimit.init), type: options.expectedType,
      digest: options.digest)
    plan.expected.isLocked = options.digestSource == .lock
    plan.proved = seeding?.segments ?? SegmentSet()
    plan.expected.isLinked = options.source?.namesLinkedFiles ?? false
    plan.keepsAnswer = SubmissionRule.keepsAnswer(to: request, output: job.specification.output)
    plan.condition = try condition(job, destination)
    if try UploadContinuing.startsOver(job, in: destination, plan) { plan.startOver(.uploadUnproved) }
    // After a wrong digest, fetch everything in one answer of one server.
    if job.failure?.kind != .integrity {
      plan.maxConnections = job.specification.mostConnections
      if options.lateRules != nil {
        plan.connectionsForAnswer = { job.ruled(by: $0, size: $1).options.maxConnections }
      }
      plan.mirrors = mirrors(of: job)
    }
    return plan
  }

  /// The requests for the file's other URLs.
  private static func mirrors(of job: Job) -> [TransferRequest] {
    let request = job.specification.request
    let others = (job.specification.options.mirrors ?? []).filter { $0 != request.url }
    let all = [job.ownRequest].compactMap(\.self) + others.map { request.moved(to: $0) }
    return all.filter { $0.schemeObjection == nil }
  }

  /// Returns the condition for a target that may only be replaced if the file has changed.
  private static func condition(_ job: Job, _ destination: any Destination) throws(Failure) -> CacheCondition? {
    guard job.specification.request.method == "GET", let baseline = job.specification.request.cache?.ifChanged,
      baseline.hasOtherLength != true, let name = job.fileName ?? baseline.name,
      let found = try destination.identity(of: name)
    else { return nil }
    // The user wants the server's version in place of the changed file, even if the server's has not changed.
    if baseline.published != nil, job.specification.options.onConflict == .overwrite { return nil }
    return baseline.condition(for: found)
  }
}

/// Names the target of a job that an attempt owns.
struct TargetFixing: Sendable {
  let store: any JobStoring
  let runner: UUID
  let destinations: DestinationCache
  /// Returns whether the attempt was cancelled.
  let isCancelled: @Sendable () -> Bool

  /// Fixes the name. Returns the name, and the conflict at the target if there is one. It blocks the calling thread.
  func fix(_ job: Job, _ response: ResponseRecord, size: Int64?) async throws(Failure) -> (String, Conflict) {
    let path = job.specification.directory
    // The attempt has created the directory. If the directory was removed since, do not create an empty one.
    guard let destination = try destinations.find(job.specification.place) else { throw .moved(path) }
    let policy = job.specification.options.onConflict
    let chosen = TargetName.choose(response, ownName: job.ownName)
    // The destination must answer before a name can be fixed. Ask it before the store's transaction, because a
    // transaction must not wait for a server.
    var taken: Set<String> = []
    var asked = job.fileName ?? chosen
    if policy == .rename, job.fileName == nil {
      let search = NameSearch(specification: job.specification, destination: destination, isOver: isCancelled)
      guard let found = try await search.taken(before: chosen) else { throw .unnamed(path) }
      (taken, asked) = (found, NameSearch.name(chosen, found.count))
    } else {
      try await destination.prefetch(asked)
    }
    let name = try await store.fixName(
      job.id, runner: runner, directory: path, name: chosen, policy: policy, taken: taken)
    guard let name else { throw Failure.leaseLost(job.id) }
    // The first free name may be the target of another job.
    if name != asked { try await destination.prefetch(name) }
    try destination.checkName(name)
    let conflict = try Conflict.look(job.specification, at: name, in: destination, addedAt: job.addedAt)
    if conflict == .none, try TargetFixing.isUpToDate(job, name, destination, response, size: size) {
      return (name, .upToDate)
    }
    if conflict == .none, let refusal = try TargetFixing.refusal(job, name, destination) {
      return (name, .refuse(refusal))
    }
    if case .refuse = conflict, try Conflict.mayBeEqual(job.specification, at: name, in: destination, size: size) {
      let isEqual = try Conflict.hasServersTime(
        job.specification, at: name, in: destination, response.head, now: WallClock.now())
      // An existing file that cannot be read cannot be compared before the publish, so only its time counts.
      return (name, isEqual ? .upToDate : destination.traits.readsParts ? .none : conflict)
    }
    return (name, conflict)
  }

  /// Returns the name under which an upload begins; `nil` for files. An object cannot be renamed, so its name must be
  /// free before the first part is sent. The publish then chooses the same name. The store is asked, too, because no
  /// other unfinished job may have the name (N6).
  func uploadName(_ name: String, _ job: Job) async throws(Failure) -> String? {
    guard job.specification.place.traits.bindsName else { return nil }
    guard job.specification.options.onConflict == .rename,
      let destination = try destinations.find(job.specification.place)
    else { return name }
    if let upload = job.checkpoint.upload { return PathText.name(of: upload.key) }
    let search = NameSearch(specification: job.specification, destination: destination, isOver: isCancelled)
    var (number, taken): (Int, Set<String>) = (0, [])
    while true {
      guard let free = try await search.number(for: name, from: number) else { throw .unnamed(destination.path) }
      if free == 0 { return name }
      taken.formUnion((number..<free).map { NameSearch.name(name, $0) })
      number = free
      let chosen = try await store.takeName(job.id, runner: runner, name: name, taken: taken)
      guard let chosen else { throw .leaseLost(job.id) }
      guard chosen != NameSearch.name(name, number) else { return chosen }
      // Another job has that name, so look up the next name in the bucket, too.
      taken.insert(NameSearch.name(name, number))
      number += 1
    }
  }

  /// Returns whether an existing target that only the server could name is up to date: it has the same length and is
  /// not older (the rule of wget).
  private static func isUpToDate(
    _ job: Job, _ name: String, _ destination: any Destination, _ response: ResponseRecord, size: Int64?
  ) throws(Failure) -> Bool {
    guard let baseline = job.specification.request.cache?.ifChanged, baseline.name == nil, response.head.status == 200,
      let found = try destination.identity(of: name)
    else { return false }
    return baseline.condition(for: found).isMet(by: response.head, length: size)
  }

  /// Returns why the server's version does not replace the existing target of a conditional fetch; `nil` if it may.
  private static func refusal(
    _ job: Job, _ name: String, _ destination: any Destination
  ) throws(Failure) -> Failure? {
    let options = job.specification.options
    // A sync has compared the file with its lock.
    guard let baseline = job.specification.request.cache?.ifChanged, baseline.isEdited,
      options.onConflict != .overwrite, options.replaces == nil, try destination.identity(of: name) != nil
    else { return nil }
    return Failure(
      .file, PathText.join(destination.path, name),
      "it was changed here after it was fetched, and the server's version has changed, too",
      advice: "\(.onConflict) overwrite replaces it; or use another name with \(.output)")
  }
}

extension Failure {
  /// The failure of an attempt that was cancelled before its target had a name. The reason is reported at the attempt's
  /// end.
  fileprivate static func unnamed(_ directory: String) -> Failure {
    Failure(.other, directory, "the attempt ended before its target had a name", recovery: .keep)
  }
}
