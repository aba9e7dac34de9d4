// Calls that add jobs.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import FoundationEssentials
internal import Threads

extension NativeAPI {
  /// The job as a caller may have it.
  /// - Parameter present: the job as it is, which the caller wants to change.
  func permitted(
    _ specification: JobSpecification, changing present: JobSpecification? = nil
  ) throws(APIFailure) -> JobSpecification {
    do throws(Failure) {
      return try settings.rule.permitted(specification, changing: present)
    } catch {
      throw error.kind == .usage
        ? .forbidden(error.description, advice: error.advice?.text(settings.names)) : refused(error)
    }
  }

  func add(_ order: AddOrder, _ request: WebRequest) async throws(APIFailure) -> WebResponse {
    guard let key = try APIReading.key(of: request) else {
      return NativeAPI.added(try await admit(try await jobs(order), key: nil))
    }
    let answers = try await repeats.answer(key, request.body, now: WallClock.now()) { () async throws(APIFailure) in
      let result: Result<[AddedAnswer], APIFailure>? = try? await self.desk.run { () async throws(Failure) in
        do throws(APIFailure) {
          return .success(try await self.admit(try await self.jobs(order), key: key))
        } catch {
          return .failure(error)
        }
      }
      guard let result else { return [] }
      return try result.get()
    }
    return NativeAPI.added(answers)
  }

  static func added(_ answers: [AddedAnswer]) -> WebResponse {
    object(201) { json in
      json.array("jobs", answers) { json, answer in
        json.object { json in
          json.field("id", answer.id)
          json.field("uuid", answer.uuid)
          json.field("existing", answer.isExisting)
        }
      }
    }
  }

  // MARK: What is asked for

  /// - Throws: 400 for more jobs than one call may add, in any form.
  private func jobs(_ order: AddOrder) async throws(APIFailure) -> [ListedJob] {
    let jobs = try await named(order)
    try NativeAPI.checkCount(jobs.count)
    return jobs
  }

  static func checkCount(_ count: Int) throws(APIFailure) {
    guard count > AddOrder.mostJobs else { return }
    throw .bad("these are \(count) jobs, and one call adds at most \(AddOrder.mostJobs)", advice: "send them in parts")
  }

  private func named(_ order: AddOrder) async throws(APIFailure) -> [ListedJob] {
    switch order {
    case .jobs(let orders):
      return try orders.map { (order) throws(APIFailure) in
        try prepared(try order.specification(base: settings.directory), isPaused: order.isPaused)
      }
    case .metalink(let text, let directory):
      let base = JobOrder.directory(directory, base: settings.directory)
      let files: [OfferedFile]
      do throws(DocumentError) {
        files = try Metalink.parse(Array(text.utf8), base: nil).files
      } catch {
        throw .bad(error.failure("the Metalink document").description)
      }
      try NativeAPI.checkCount(files.count)
      return try files.compactMap { $0.job(in: base) }.map { (job) throws(APIFailure) in
        var job = job
        job.options.onConflict = .rename
        return try prepared(job)
      }
    case .list(let text, let directory):
      guard let readList = settings.readList else {
        throw APIFailure(503, .unavailable, "this service reads no lists", advice: "send the jobs as \"jobs\"")
      }
      let base = JobOrder.directory(directory, base: settings.directory)
      // Lists are read relative to that, so it is looked at before.
      guard settings.rule.directories.place(base) != nil else { throw NativeAPI.forbidden(directory: base) }
      let listed = try await trying { () async throws(Failure) in try await readList(Array(text.utf8), base) }
      try NativeAPI.checkCount(listed.count)
      return try listed.map { (job) throws(APIFailure) in
        // Its lines go before what holds for their hosts, which was looked up with them.
        try prepared(job.specification, isPaused: job.isPaused, looksUpHost: false)
      }
    }
  }

  /// A job as the caller may have it, with what the configuration says: that is the user's, who may have everything.
  func prepared(
    _ specification: JobSpecification, isPaused: Bool = false, looksUpHost: Bool = true
  ) throws(APIFailure) -> ListedJob {
    var specification = try permitted(specification)
    settings.prepare.usual(&specification)
    if looksUpHost { settings.prepare.host(&specification) }
    return ListedJob(specification, isPaused: isPaused)
  }

  static func forbidden(directory: String) -> APIFailure {
    .forbidden(
      "\(TextSafety.escaped(directory)): this directory is not among those that are allowed",
      advice: "GET /api/v1/service names the roots")
  }

  // MARK: Queueing

  /// Adds jobs that were prepared, all or none.
  /// - Parameter key: what the client asks again with.
  func admit(_ jobs: [ListedJob], key: String?, marks: Set<FeedMark> = []) async throws(APIFailure) -> [AddedAnswer] {
    var wanted: [JobSpecification] = []
    var entrance = Entrance()
    for (index, job) in jobs.enumerated() {
      wanted.append(job.specification)
      if job.isPaused { entrance.paused.insert(index) }
      if let key { entrance.uuids[index] = RepeatedCalls.uuid(key, index, in: manager.home.path) }
    }
    let known = try await repeated(wanted, key: key)
    let (all, given) = (wanted, entrance)
    let admissions = try await trying { () async throws(Failure) in
      try await manager.admit(all, marks: marks, entering: given)
    }
    var answers: [AddedAnswer] = []
    for (index, admission) in admissions.enumerated() {
      switch admission {
      case .job(let job):
        answers.append(
          AddedAnswer(id: job.id, uuid: job.uuid.uuidString, isExisting: job.existing && !known.contains(index)))
      case .alreadyComplete(let id, _):
        let job = try await trying { () async throws(Failure) in try await manager.jobs.summaries(ids: [id]).first }
        answers.append(AddedAnswer(id: id, uuid: job?.uuidText, isExisting: true))
      case .skipped: answers.append(AddedAnswer(id: nil, uuid: nil, isExisting: true))
      }
    }
    return answers
  }

  /// Which jobs were added by the same call before, perhaps in another run of the service.
  /// - Throws: 409 where that call was another.
  private func repeated(_ wanted: [JobSpecification], key: String?) async throws(APIFailure) -> Set<Int> {
    guard let key else { return [] }
    var known: Set<Int> = []
    for index in 0...wanted.count {
      let uuid = RepeatedCalls.uuid(key, index, in: manager.home.path)
      let job = try await trying { () async throws(Failure) in try await manager.jobs.job(uuid: uuid) }
      guard let job else { continue }
      guard index < wanted.count, job.specification.isSame(as: wanted[index]) else { throw RepeatedCalls.differs }
      known.insert(index)
    }
    return known
  }
}

extension JobSpecification {
  /// Whether it fetches the same to the same place, as far as that does not change while it waits.
  fileprivate func isSame(as other: JobSpecification) -> Bool {
    (request.url, directory, output) == (other.request.url, other.directory, other.output)
  }
}
