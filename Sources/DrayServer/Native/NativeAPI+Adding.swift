// The calls that add jobs.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import FoundationEssentials
internal import Threads
internal import WebServer

extension NativeAPI {
  /// Runs a check of what a client wants of its jobs. If the check refuses, the call is answered with 403.
  func judging<Value>(_ body: (ClientJobs) throws(Failure) -> Value) throws(APIFailure) -> Value {
    do throws(Failure) {
      return try body(clients)
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
      let result: Result<[AddedAnswer], APIFailure>? = try? await self.context.run { () async throws(Failure) in
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

  // MARK: Reading jobs

  /// - Throws: 400 if the call adds more jobs than one call may add, in whatever form.
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
      let queues = try await queueDirectories(orders)
      var jobs: [ListedJob] = []
      var questions = questions()
      for order in orders {
        let base = order.base(queues, usual: settings.directory)
        if let name = settings.sources.name(in: order.url) {
          jobs += try await files(of: name, order, base: base, &questions)
        } else {
          let wanted = try order.specification(base: base, home: settings.rule.home)
          jobs.append(try prepared(wanted, isPaused: order.isPaused))
        }
      }
      return jobs
    case .metalink(let text, let directory):
      let base = resolved(directory)
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
      let base = resolved(directory)
      // Paths in a list are relative to this directory, so the directory is checked first.
      guard settings.rule.directories.place(base) != nil else { throw NativeAPI.forbidden(directory: base) }
      let listed = try await trying { () async throws(Failure) in try await readList(Array(text.utf8), base) }
      try NativeAPI.checkCount(listed.count)
      return try listed.map { (job) throws(APIFailure) in
        // The settings in a list take precedence over those of the host, which were already applied when the list was
        // read.
        try prepared(job.specification, isPaused: job.isPaused, looksUpHost: false)
      }
    case .text(let text, let order, let areMirrors): return try await typed(text, order, areMirrors)
    }
  }

  /// Returns the jobs that a text describes. The settings that are given along with the text apply to all its jobs,
  /// except that a list's own settings take precedence.
  private func typed(_ text: String, _ order: JobOrder, _ areMirrors: Bool) async throws(APIFailure) -> [ListedJob] {
    switch try read(text) {
    case .links(let urls):
      guard let first = urls.first else { throw .bad("the text has no link") }
      guard !areMirrors else {
        var job = order
        (job.url, job.mirrors) = (first, Array(urls.dropFirst()))
        return try await named(.jobs([job]))
      }
      guard urls.count == 1 || order.output?.isEmpty ?? true else {
        throw .bad("output: \(urls.count) files cannot have one name", advice: "omit it")
      }
      return try await named(
        .jobs(
          urls.map { url in
            var job = order
            job.url = url
            return job
          }))
    case let kind:
      let isList = kind == .list
      let listed = try await named(
        isList ? .list(text, directory: order.directory) : .metalink(text, directory: order.directory))
      return try listed.map { (job) throws(APIFailure) in
        var job = job
        try order.settings.complete(&job.specification)
        job.isPaused = job.isPaused || order.isPaused
        return job
      }
    }
  }

  private func read(_ text: String) throws(APIFailure) -> TypedText {
    let sources = settings.sources
    do throws(TypedTextError) {
      return try TypedText(text, most: AddOrder.mostJobs) { sources.name(in: $0) != nil }
    } catch {
      throw .bad(error.message, advice: error.advice)
    }
  }

  /// Reads the links in a text without adding jobs. Links that the caller is not permitted to add are refused.
  func links(_ text: String) throws(APIFailure) -> WebResponse {
    let kind = try read(text)
    var urls: [String] = []
    if case .links(let all) = kind {
      urls = all
      for url in all.prefix(TypedLinks.most) where settings.sources.name(in: url) == nil {
        let wanted = try JobOrder(url: url).specification(base: settings.directory)
        _ = try judging { (clients) throws(Failure) in try clients.rule.permitted(wanted) }
      }
    }
    let (shown, name) = (
      urls.prefix(TypedLinks.most), kind == .list ? "list" : kind == .metalink ? "metalink" : "links"
    )
    return NativeAPI.object { json in
      json.field("kind", name)
      json.field("count", name == "links" ? urls.count : nil)
      json.array("urls", Array(shown)) { $0.value(ShownURL.text($1, reveals: false)) }
    }
  }

  /// Checks that the caller is permitted to have this job, and adds the settings of the configuration. The settings
  /// that the service's user configured need no permission.
  func prepared(
    _ specification: JobSpecification, isPaused: Bool = false, looksUpHost: Bool = true
  ) throws(APIFailure) -> ListedJob {
    let own = try judging { (clients) throws(Failure) in try clients.added(specification, looksUpHost: looksUpHost) }
    return ListedJob(own, isPaused: isPaused)
  }

  func resolved(_ text: String?) -> String {
    JobOrder.directory(text, base: settings.directory, home: settings.rule.home)
  }

  static func forbidden(directory: String) -> APIFailure {
    .forbidden(
      "\(TextSafety.escaped(directory)): this directory is not among those that are allowed",
      advice: "GET /api/v1/service names the roots")
  }

  // MARK: Queueing

  /// Adds either all of these prepared jobs or none of them.
  /// - Parameter key: The key under which the client may repeat the call.
  func admit(_ jobs: [ListedJob], key: String?, marks: Set<FeedMark> = []) async throws(APIFailure) -> [AddedAnswer] {
    var wanted: [JobSpecification] = []
    var entrance = Entrance()
    entrance.isForClient = true
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
      case .alreadyComplete(let id, _, _):
        let job = try await trying { () async throws(Failure) in try await manager.jobs.summaries(ids: [id]).first }
        answers.append(AddedAnswer(id: id, uuid: job?.uuidText, isExisting: true))
      case .skipped, .present: answers.append(AddedAnswer(id: nil, uuid: nil, isExisting: true))
      }
    }
    return answers
  }

  /// Returns the jobs that the same call added earlier, perhaps in another run of the service.
  /// - Throws: 409 if the earlier call with this key was a different one.
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
  /// Whether two specifications fetch the same URL to the same place. Only properties that do not change while a job
  /// waits are compared.
  fileprivate func isSame(as other: JobSpecification) -> Bool {
    (request.url, directory, output) == (other.request.url, other.directory, other.output)
  }
}
