// The transfers of one agent of git-lfs.

internal import DrayDocuments
internal import DrayStore
internal import Posix
internal import Synchronization
internal import Threads

/// The queue of a repository and the server with its objects, for one run of git-lfs.
final class LFSSession: Sendable {
  private let manager: DownloadManager
  private let source: LFSSource
  private let client: any SourceClient
  private let sources: NamedSources
  private let report: LFSReport
  /// The maximum number of objects that are transferred at the same time.
  private let transfers: Int
  /// The request without its URL, and without the checks for its server.
  private let template: TransferRequest
  private let options: JobOptions
  /// The directory for complete objects, from where git-lfs moves them.
  private let objects: String
  /// The complete jobs whose files git-lfs moves.
  private let handedOver = Mutex<Set<JobID>>([])

  /// The seconds for which a link must still be valid when its transfer begins.
  private static let margin = 5.0
  /// The seconds between two reports of progress.
  private static let pause = 0.2
  /// The maximum number of old jobs that are looked at.
  private static let mostOld = 1000

  private init(
    _ manager: DownloadManager, _ source: LFSSource, _ client: any SourceClient, _ template: TransferRequest,
    _ storage: String, _ run: (transfers: Int, options: JobOptions, report: LFSReport)
  ) throws(Failure) {
    (self.manager, self.source, self.client, self.template) = (manager, source, client, template)
    objects = LFSSession.objects(in: storage)
    (transfers, options, report) = run
    sources = try NamedSources(adding: [source])
  }

  private static func state(in storage: String) -> String { PathText.join(storage, "dray") }
  private static func objects(in storage: String) -> String { PathText.join(state(in: storage), "objects") }

  /// Finds the server, and opens the queue.
  static func open(
    _ run: LFSRun, _ git: GitRepository, _ hosts: HostRules, _ options: JobOptions, _ report: LFSReport
  ) async throws(Failure) -> LFSSession {
    let common = try await git.commonDirectory()
    let settings = await git.settings()
    let place = try await LFSSession.place(of: run.remote, git, settings)
    var (trust, extra) = (LFSTrust(git), HeaderField?.none)
    var root: RequestURL?
    if case .web(let url, _, _) = place {
      let web = await git.webSettings(url)
      (root, trust) = (url, LFSTrust(git, knowing: [url.origin: web.trust]))
      extra = web["http.extraheader"].flatMap(LFSSession.field)
    }
    let storage = PathText.absolute(settings["lfs.storage"] ?? "lfs", from: common)
    let home = StateDirectory(path: state(in: storage))
    var configuration = Configuration(home: home)
    configuration.hosts = hosts
    let manager = try await DownloadManager.open(configuration)
    do throws(SystemError) { try System.makeDirectories(objects(in: storage)) } catch {
      throw Failure(.file, objects(in: storage), error.text)
    }
    guard let url = try? RequestURL.parse("https://localhost/").url else {
      throw Failure(.other, storage, "no request can be made")
    }
    var template = TransferRequest(url: url)
    // The objects' servers are named by another server.
    template.netrcSkipsDefault = true
    var question = template
    if let root { question = await trust.request(template, to: root) }
    let client = try await DownloadManager.sourceClient(question, knowing: manager, places: git.places)
    let source = LFSSource(server: LFSServer(git, place, extraField: extra), trust: trust, client: client)
    let session = try LFSSession(manager, source, client, template, storage, (run.transfers, options, report))
    // The jobs of a process that was killed get the new links, too.
    try await manager.refresh()
    await session.forgetOld()
    return session
  }

  private static func place(
    of remote: String, _ git: GitRepository, _ settings: GitSettings
  ) async throws(Failure) -> LFSServerPlace {
    var setting = LFSServerPlace.setting(of: remote, own: settings, shared: GitSettings())
    if setting == nil {
      setting = LFSServerPlace.setting(of: remote, own: settings, shared: await git.sharedSettings())
    }
    let text = await git.address(setting ?? remote) ?? setting ?? remote
    do throws(DocumentError) { return try LFSServerPlace(text, isRemote: setting == nil) } catch {
      throw Failure(
        .usage, TextSafety.escaped(URLRedaction.redactingURLs(in: text)), "this is not \(error.kind): \(error.reason)",
        advice: "set lfs.url, or fetch with: git -c lfs.standalonetransferagent= lfs pull")
    }
  }

  /// Reads git's `http.extraHeader`.
  private static func field(_ line: String) -> HeaderField? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = String(line[..<colon])
    let value = String(line[line.index(after: colon)...].trimmingSpaces())
    guard FieldRule.isToken(name.utf8), FieldRule.isValue(value), !FieldRule.isOwn(name) else { return nil }
    return HeaderField(name, value)
  }

  // MARK: Objects

  /// Fetches objects, and answers for each of them. If the task is cancelled, unfinished objects get no answer.
  func fetch(_ wanted: [LFSObject]) async {
    await forgetMoved()
    var seen: Set<String> = []
    var rest = wanted.filter { seen.insert($0.oid).inserted }[...]
    while !rest.isEmpty, !Task.isCancelled {
      let group = Array(rest.prefix(LFSBatch.most))
      rest = rest.dropFirst(group.count)
      do throws(Failure) {
        let progress = try await queued(group)
        await transfer(progress)
      } catch {
        for object in group { report.send(.failed(oid: object.oid, report.problem(error))) }
      }
      for object in group { source.links.drop(object.oid) }
    }
  }

  /// Requests the links of objects. A link that has almost expired is requested once more.
  private func links(of group: [LFSObject]) async throws(Failure) -> [String: LFSOutcome] {
    let outcomes = try await source.server.outcomes(of: group, client)
    let soon = WallClock.now() + LFSSession.margin
    let old = group.filter { object in
      guard case .action(let action)? = outcomes[object.oid], let end = action.expiresAt else { return false }
      return end < soon
    }
    guard !old.isEmpty else { return outcomes }
    return outcomes.merging(try await source.server.outcomes(of: old, client)) { _, new in new }
  }

  /// Queues objects, and answers for those that need no transfer.
  private func queued(_ group: [LFSObject]) async throws(Failure) -> LFSProgress {
    let outcomes = try await links(of: group)
    let progress = LFSProgress(report)
    for object in group {
      do throws(Failure) {
        switch outcomes[object.oid] {
        case .action(let action)?:
          source.links.put(action, for: object)
          try await queue(object, action, progress)
        case .problem(let problem)?: report.send(.failed(oid: object.oid, problem))
        case nil: throw Failure(.protocolViolation, "object \(object.oid)", "the server did not say where it is")
        }
      } catch {
        report.send(.failed(oid: object.oid, report.problem(error)))
      }
    }
    return progress
  }

  private func queue(_ object: LFSObject, _ action: LFSAction, _ progress: LFSProgress) async throws(Failure) {
    guard let admission = try await manager.admit([try await specification(object, action.url)]).first else {
      throw Failure(.other, "object \(object.oid)", "it was not queued")
    }
    switch admission {
    case .job(let job): progress.add(job.id, object)
    case .alreadyComplete(let id, let path, _):
      progress.add(id, object)
      handedOver.withLock { _ = $0.insert(id) }
      progress.complete(id, path: path)
    case .skipped(let path, _), .present(let path): throw Failure(.file, path, "the target already exists")
    }
  }

  private func specification(_ object: LFSObject, _ url: RequestURL) async throws(Failure) -> JobSpecification {
    let request = await source.trust.request(template, to: url)
    var job = JobSpecification(request: request, options: options, directory: objects, output: object.oid)
    job.options.expectedSize = object.size
    do throws(DigestParseError) { job.options.digest = try DigestValue.parse("sha-256=\(object.oid)") } catch {
      throw Failure(.usage, "object \(object.oid)", error.message)
    }
    job.options.digestSource = DigestSource(rawValue: "git-lfs")
    // The directory is dray's own: a file in it is an object that git-lfs did not take.
    job.options.onConflict = .overwrite
    job.options.source = LFSSource.reference(to: object.oid)
    LFSTrust.giveChecks(of: &job)
    return job
  }

  private func transfer(_ progress: LFSProgress) async {
    let ids = progress.open.keys.sorted()
    guard !ids.isEmpty else { return }
    var options = RunOptions()
    (options.maxConcurrent, options.failsFast) = (transfers, true)
    options.renewLinks(from: sources)
    options.observer = { [self] event in take(event, progress) }
    do throws(Failure) {
      let runner = try await manager.makeRunner(.jobs(ids), options)
      let looks = Task {
        while !Task.isCancelled {
          for job in await runner.snapshot().active { progress.move(job.id, to: job.received) }
          try? await Task.sleep(for: .seconds(LFSSession.pause))
        }
      }
      defer { looks.cancel() }
      _ = try await runner.run()
      guard !Task.isCancelled else { return }
      try await answerRest(progress)
    } catch {
      for id in ids { progress.fail(id, error) }
    }
  }

  private func take(_ event: JobEvent, _ progress: LFSProgress) {
    switch event.kind {
    case .complete(let path, _, _, _):
      handedOver.withLock { _ = $0.insert(event.id) }
      progress.complete(event.id, path: path)
    case .failed(let failure), .interrupted(let failure?): progress.fail(event.id, failure)
    default: break
    }
  }

  /// Answers for jobs that ended without an event of this run: another process has ended them, or a user.
  private func answerRest(_ progress: LFSProgress) async throws(Failure) {
    for (id, object) in progress.open {
      let job = try await manager.jobs.job(id)
      if let job, job.state == .complete, let path = job.target, System.isFile(path) {
        progress.complete(id, path: path)
        continue
      }
      let words = job.map { "its job \($0.state.predicate)" } ?? "its job was removed"
      progress.fail(id, job?.failure ?? Failure(.other, "object \(object.oid)", words, advice: "try again"))
    }
  }

  // MARK: Old jobs

  /// Removes the jobs whose files git-lfs has moved.
  private func forgetMoved() async {
    let ids = handedOver.withLock(\.self)
    let moved = await forget(Array(ids))
    handedOver.withLock { $0.subtract(moved) }
  }

  /// Removes jobs whose files git-lfs moved before its process was killed.
  private func forgetOld() async {
    let complete = (try? await manager.jobs.ids(states: [.complete])) ?? []
    await forget(Array(complete.prefix(LFSSession.mostOld)))
  }

  /// Removes those jobs whose files are gone.
  @discardableResult private func forget(_ ids: [JobID]) async -> [JobID] {
    guard !ids.isEmpty, let jobs = try? await manager.jobs.jobs(ids: ids) else { return [] }
    let moved = jobs.filter { job in job.state == .complete && job.target.map { !System.isFile($0) } ?? true }
    guard !moved.isEmpty else { return [] }
    // What cannot be removed now is removed by the next process.
    _ = try? await manager.remove(moved.map(\.id))
    return moved.map(\.id)
  }

  /// Ends the session.
  func end() async { await forgetMoved() }
}
