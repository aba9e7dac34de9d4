// Carries out the messages of the extension for browsers. The extension is judged as a client of the service (P22).

public import DrayCore
public import DrayDocuments
public import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import Threads

internal import struct FoundationEssentials.UUID

public actor BrowserDesk {
  public struct Settings: Sendable {
    /// The rule that the jobs of browsers must meet. It must allow ``directory``.
    public var rule: OutsideRule
    /// The absolute path of the directory for downloads.
    public var directory: String
    /// The names of actions and settings in advice.
    public var names: Advice.Names
    /// The version of dray.
    public var version: String
    /// Adds the settings of the configuration to jobs.
    public var prepare: JobPreparation
    /// Opens the job store, which is created if it does not exist.
    public var open: @Sendable () throws(Failure) -> DownloadManager
    /// Opens the job store; `nil` if it does not exist.
    public var look: @Sendable () async throws(Failure) -> DownloadManager?
    /// Whether a service transfers the queue.
    public var hasService: @Sendable () -> Bool
    /// Makes sure that the queue is transferred. Returns the reason if it is not.
    public var start: @Sendable (DownloadManager) -> String?

    public init(
      rule: OutsideRule, directory: String, names: Advice.Names, version: String, prepare: JobPreparation = .none,
      open: @escaping @Sendable () throws(Failure) -> DownloadManager
    ) {
      (self.rule, self.directory, self.names, self.version) = (rule, directory, names, version)
      (self.prepare, self.open) = (prepare, open)
      look = { () throws(Failure) in try open() }
      hasService = { false }
      start = { _ in nil }
    }
  }

  /// The maximum number of downloads that are queued in one step.
  private static let mostTogether = 100

  private let settings: Settings
  private let clients: ClientJobs
  private var known: DownloadManager?

  public init(_ settings: Settings) {
    self.settings = settings
    clients = ClientJobs(rule: settings.rule, preparation: settings.prepare)
  }

  /// Carries out messages in their order. Downloads that follow each other are queued together.
  /// - Parameter send: Receives each answer. For a download, its job is durable then (P3).
  public func answer(_ messages: [BrowserMessage], send: @Sendable (BrowserAnswer) -> Void) async {
    var rest = messages[...]
    while let message = rest.popFirst() {
      guard case .success(let order) = message.order else {
        if case .failure(let problem) = message.order { send(BrowserAnswer(to: message.id, refusing: problem)) }
        continue
      }
      guard case .add(let first) = order else {
        send(await answer(message.id, order))
        continue
      }
      var group = [(id: message.id, download: first)]
      while group.count < BrowserDesk.mostTogether, let next = rest.first,
        case .success(.add(let download)) = next.order
      {
        group.append((next.id, download))
        rest.removeFirst()
      }
      for answer in await add(group) { send(answer) }
    }
  }

  private func answer(_ id: BrowserMessageID?, _ order: BrowserOrder) async -> BrowserAnswer {
    do throws(BrowserProblem) {
      switch order {
      case .hello(let version): return try hello(id, version)
      case .list: return try await list(id)
      case .matches(let url, let name, let size): return try await matches(id, url, name, size)
      case .relink(let job, let download): return try await relink(id, job, download)
      case .act(let act, let job): return try await perform(id, act, job)
      case .add(let download): return await add([(id, download)]).first ?? BrowserAnswer(to: id)
      }
    } catch {
      return BrowserAnswer(to: id, refusing: error)
    }
  }

  private func hello(_ id: BrowserMessageID?, _ version: Int64) throws(BrowserProblem) -> BrowserAnswer {
    guard version >= BrowserMessage.version else {
      throw BrowserProblem(
        .unavailable, "the extension speaks version \(version) of the protocol, and dray \(BrowserMessage.version)",
        advice: "update the extension")
    }
    return BrowserAnswer(to: id) { json in
      json.field("version", BrowserMessage.version)
      json.field("program", settings.version)
      json.field("directory", settings.directory)
      json.field("service", settings.hasService())
    }
  }

  // MARK: Adding

  private typealias Outcome = Result<Admission, BrowserProblem>

  private func add(_ group: [(id: BrowserMessageID?, download: BrowserDownload)]) async -> [BrowserAnswer] {
    var outcomes: [Int: Outcome] = [:]
    var wanted: [(index: Int, job: JobSpecification)] = []
    for (index, one) in group.enumerated() {
      do throws(BrowserProblem) {
        wanted.append((index, try specification(one.download)))
      } catch {
        outcomes[index] = .failure(error)
      }
    }
    var note: String?
    var jobs: [JobID: Job] = [:]
    do throws(BrowserProblem) {
      if !wanted.isEmpty {
        let manager = try opened()
        try makeDirectory()
        let admitted = await admit(wanted.map(\.job), manager)
        for (place, one) in wanted.enumerated() { outcomes[one.index] = admitted[place] }
        let ids = admitted.compactMap { (try? $0.get())?.jobID }
        // The jobs are durable, so the answers do not depend on what follows.
        for job in (try? await manager.jobs.jobs(ids: ids)) ?? [] { jobs[job.id] = job }
        if ids.contains(where: { jobs[$0]?.state != .complete }) { note = settings.start(manager) }
      }
    } catch {
      for one in wanted { outcomes[one.index] = .failure(error) }
    }
    return group.enumerated().map { index, one in
      answer(one.id, outcomes[index] ?? .failure(BrowserProblem(.unavailable, "dray has ended")), jobs, note)
    }
  }

  /// Queues all downloads in one step. If one of them cannot be queued, each is tried by itself.
  private func admit(_ jobs: [JobSpecification], _ manager: DownloadManager) async -> [Outcome] {
    var entrance = Entrance()
    entrance.isForClient = true
    do throws(Failure) {
      return try await manager.admit(jobs, entering: entrance).map { .success($0) }
    } catch {
      guard jobs.count > 1 else { return [.failure(problem(error))] }
    }
    var outcomes: [Outcome] = []
    for job in jobs {
      do throws(Failure) {
        outcomes += try await manager.admit([job], entering: entrance).map { .success($0) }
      } catch {
        outcomes.append(.failure(problem(error)))
      }
    }
    return outcomes
  }

  private func specification(_ download: BrowserDownload) throws(BrowserProblem) -> JobSpecification {
    try BrowserDesk.refusePost(download)
    var request = TransferRequest(url: download.url)
    if let user = download.user { request.takeUser(user.user, user.password) }
    download.put(into: &request)
    var job = JobSpecification(request: request, directory: settings.directory, output: download.name)
    // There is no user who could be asked, so an existing file is kept, and the new one gets another name.
    job.options.onConflict = .rename
    job.options.expectedSize = download.size
    do throws(Failure) {
      try CredentialRule.check(request)
      return try clients.added(job)
    } catch {
      throw problem(error)
    }
  }

  private static func refusePost(_ download: BrowserDownload) throws(BrowserProblem) {
    guard download.isPost else { return }
    throw BrowserProblem(
      .refused, "the file is the answer to a form, which is not sent again", advice: "let the browser fetch it")
  }

  private func makeDirectory() throws(BrowserProblem) {
    guard !ObjectPlace.isMeant(by: settings.directory) else { return }
    do throws(SystemError) {
      try System.makeDirectories(settings.directory)
    } catch {
      let shown = TextSafety.escaped(settings.directory)
      throw BrowserProblem(
        .unavailable, "\(shown): this directory cannot be made: \(error.text)",
        advice: "name another: dray browser install --dir DIR")
    }
  }

  private func answer(
    _ id: BrowserMessageID?, _ outcome: Outcome, _ jobs: [JobID: Job], _ note: String?
  ) -> BrowserAnswer {
    switch outcome {
    case .failure(let problem): return BrowserAnswer(to: id, refusing: problem)
    case .success(.job(let added)):
      return BrowserAnswer(to: id) { json in
        BrowserDesk.write(jobs[added.id], added.uuid.uuidString, added.id, to: &json)
        json.field("existing", added.existing)
        if let note { json.field("message", note) }
      }
    case .success(.alreadyComplete(let number, let path)):
      let problem = BrowserProblem(
        .exists, "\(TextSafety.escaped(path)) is already complete", advice: "remove job \(number) to fetch it again")
      return BrowserAnswer(to: id, refusing: problem) { json in
        json.field("job", jobs[number]?.uuid.uuidString)
        json.field("number", number)
      }
    case .success(.present(let path)), .success(.skipped(let path, _)):
      return BrowserAnswer(
        to: id, refusing: BrowserProblem(.exists, "\(TextSafety.escaped(path)) exists", advice: nil))
    }
  }

  private static func write(_ job: Job?, _ uuid: String, _ number: JobID, to json: inout JSONText) {
    json.field("job", uuid)
    json.field("number", number)
    json.field("output", job.map { PathText.join($0.specification.directory, BrowserDesk.name($0)) })
    json.field("state", (job?.state ?? .queued).rawValue)
  }

  /// Returns the name of a job's file, or the name that it probably gets.
  private static func name(_ job: Job) -> String {
    job.fileName ?? job.specification.output ?? FileName.fromURLPath(job.specification.request.url.path)
  }

  // MARK: Looking

  /// The maximum numbers of active, waiting and ended jobs in an answer.
  private static let (mostActive, mostWaiting, mostEnded) = (200, 200, 100)

  private func list(_ id: BrowserMessageID?) async throws(BrowserProblem) -> BrowserAnswer {
    guard let manager = try await looked() else {
      return BrowserAnswer(to: id) { $0.array("jobs", [Int]()) { _, _ in } }
    }
    let facts = try await trying { () async throws(Failure) in
      func newest(_ states: Set<JobState>, _ limit: Int) async throws(Failure) -> [JobSummary] {
        try await manager.jobs.newest(states: states, idsBeginningWith: "", limit: limit)
      }
      var jobs = try await newest([.active], BrowserDesk.mostActive)
      let live = jobs.isEmpty ? [:] : try await manager.progress()
      jobs += try await newest([.queued, .interrupted, .paused], BrowserDesk.mostWaiting)
      jobs += try await newest([.complete, .failed], BrowserDesk.mostEnded)
      return jobs.map { JobFacts($0, live: live[$0.id], names: settings.names, isFile: { _ in false }) }
    }
    return BrowserAnswer(to: id) { json in
      json.array("jobs", facts) { json, job in
        json.object { json in
          json.field("job", job.uuid)
          json.field("number", job.id)
          json.field("name", BrowserDesk.name(job))
          json.field("state", job.state.rawValue)
          json.field("bytes", job.received)
          json.field("size", job.size)
          json.field("rate", job.rate.map { Int64($0) })
          json.field("message", job.failure.map { TextSafety.escaped($0.reason).start(500) })
        }
      }
    }
  }

  private static func name(_ job: JobFacts) -> String {
    if let target = job.target { return PathText.name(of: target) }
    return (try? RequestURL.parse(job.url)).map { FileName.fromURLPath($0.url.path) } ?? FileName.fallback
  }

  /// The maximum number of jobs in the answer to `matches`.
  private static let mostMatches = 20
  /// Only the newest stopped jobs are compared.
  private static let mostCompared = 1000

  private func matches(
    _ id: BrowserMessageID?, _ url: RequestURL, _ name: String?, _ size: Int64?
  ) async throws(BrowserProblem) -> BrowserAnswer {
    var found: [NewLinkRule.Candidate] = []
    if let manager = try await looked() {
      let jobs = try await trying { () async throws(Failure) in
        let ids = try await manager.jobs.ids(states: [.interrupted, .paused, .failed])
        return try await manager.jobs.jobs(ids: Array(ids.suffix(BrowserDesk.mostCompared)))
      }
      found = NewLinkRule.candidates(for: url, name: name, size: size, among: jobs)
    }
    return BrowserAnswer(to: id) { json in
      json.array("matches", Array(found.prefix(BrowserDesk.mostMatches))) { json, one in
        json.object { json in
          json.field("job", one.job.uuid.uuidString)
          json.field("number", one.job.id)
          json.field("name", BrowserDesk.name(one.job))
          json.field("state", one.job.state.rawValue)
          json.field("bytes", one.job.checkpoint.segments.count)
          json.field("size", one.job.checkpoint.size)
          json.field("message", one.job.failure.map { TextSafety.escaped($0.reason).start(500) })
          json.field("certain", one.isCertain)
        }
      }
    }
  }

  // MARK: Changing

  private func relink(
    _ id: BrowserMessageID?, _ text: String, _ download: BrowserDownload
  ) async throws(BrowserProblem) -> BrowserAnswer {
    try BrowserDesk.refusePost(download)
    let (manager, job) = try await found(text)
    let change = try await trying { () async throws(Failure) in
      let link = try ClientLink(download.url, user: download.user, for: job, clients) { download.put(into: &$0) }
      return try await link.give(manager)
    }
    try check(change.result, job.id)
    // The user wants the file now.
    if job.state == .paused { _ = try await trying { () async throws(Failure) in try await manager.resume([job.id]) } }
    let note = settings.start(manager)
    let now = try? await manager.jobs.job(job.id)
    // What is kept is compared with the server's file before it counts (P2, P16).
    let kept = job.state == .failed ? 0 : job.checkpoint.segments.count
    return BrowserAnswer(to: id) { json in
      BrowserDesk.write(now ?? job, job.uuid.uuidString, job.id, to: &json)
      json.field("kept", kept)
      if let note { json.field("message", note) }
    }
  }

  private func perform(
    _ id: BrowserMessageID?, _ act: BrowserOrder.Act, _ text: String
  ) async throws(BrowserProblem) -> BrowserAnswer {
    let (manager, job) = try await found(text)
    let outcomes = try await trying { () async throws(Failure) in
      switch act {
      case .pause: try await manager.pause([job.id])
      case .remove: try await manager.remove([job.id])
      case .resume: try await manager.resume([job.id])
      // Bytes that were received are kept: only a failed job starts over.
      case .retry:
        job.state == .failed ? try await clients.startOver([job.id], manager) : try await manager.resume([job.id])
      }
    }
    for outcome in outcomes where outcome.id == job.id { try check(outcome.result, job.id) }
    let note = act == .resume || act == .retry ? settings.start(manager) : nil
    return BrowserAnswer(to: id) { json in if let note { json.field("message", note) } }
  }

  private func found(_ text: String) async throws(BrowserProblem) -> (DownloadManager, Job) {
    let job: Job?
    let manager = try await looked()
    if let number = JobID(text) {
      job = try await trying { () async throws(Failure) in try await manager?.jobs.job(number) }
    } else if let uuid = UUID(uuidString: text) {
      job = try await trying { () async throws(Failure) in try await manager?.jobs.job(uuid: uuid) }
    } else {
      throw BrowserProblem(.invalid, "job is neither the number nor the UUID of a job")
    }
    guard let manager, let job else { throw BrowserProblem(.invalid, "no such job") }
    return (manager, job)
  }

  private func check(_ result: ControlResult, _ id: JobID) throws(BrowserProblem) {
    switch result {
    case .done, .asked: return
    case .unknown: throw BrowserProblem(.invalid, "no such job")
    case .refused(let reason, let advice):
      throw BrowserProblem(.refused, "job \(id): \(reason)", advice: advice?.naming(id).text(settings.names))
    }
  }

  // MARK: The store

  private func opened() throws(BrowserProblem) -> DownloadManager {
    if let known { return known }
    do throws(Failure) {
      let manager = try settings.open()
      known = manager
      return manager
    } catch {
      throw problem(error)
    }
  }

  private func looked() async throws(BrowserProblem) -> DownloadManager? {
    if let known { return known }
    let manager = try await trying(settings.look)
    known = known ?? manager
    return known
  }

  private func trying<Value: Sendable>(
    _ body: () async throws(Failure) -> Value
  ) async throws(BrowserProblem) -> Value {
    do throws(Failure) { return try await body() } catch { throw problem(error) }
  }

  private func problem(_ failure: Failure) -> BrowserProblem {
    let code: BrowserProblem.Code =
      switch failure.kind {
      case .usage, .other: .refused
      case .file, .store, .network, .tls, .authentication, .protocolViolation, .status, .integrity: .unavailable
      }
    return BrowserProblem(code, failure.description, advice: failure.advice?.text(settings.names))
  }
}

extension Admission {
  fileprivate var jobID: JobID? {
    switch self {
    case .job(let added): added.id
    case .alreadyComplete(let id, _): id
    case .present, .skipped: nil
    }
  }
}
