// Queues the downloads that a browser hands over.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix

internal import struct FoundationEssentials.UUID

extension NativeMessagingHost {
  private typealias Outcome = Result<Admission, BrowserProblem>

  /// Queues downloads that arrived together, and returns their answers in the same order.
  func add(_ group: [(id: BrowserMessageID?, download: BrowserDownload)]) async -> [BrowserAnswer] {
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
        jobs = await NativeMessagingHost.goingOn(ids, manager)
        let hasWork = ids.contains { jobs[$0].map(NativeMessagingHost.isWanted) ?? true }
        if hasWork { note = settings.start(manager) }
      }
    } catch {
      for one in wanted { outcomes[one.index] = .failure(error) }
    }
    return group.enumerated().map { index, one in
      answer(one.id, outcomes[index] ?? .failure(BrowserProblem(.unavailable, "dray has ended")), jobs, note)
    }
  }

  /// Queues all downloads in one step. If one of them cannot be queued, each is tried separately.
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

  /// Queues those of the jobs that were interrupted and that browsers may continue, because a service does that only at
  /// its start.
  /// - Returns: The jobs as they are then; those that cannot be read are left out.
  private static func goingOn(_ ids: [JobID], _ manager: DownloadManager) async -> [JobID: Job] {
    func read() async -> [JobID: Job] {
      let jobs = (try? await manager.jobs.jobs(ids: ids)) ?? []
      return Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
    }
    let jobs = await read()
    let stopped = jobs.values.filter { $0.state == .interrupted && !isStoppedByUser($0) }.map(\.id).sorted()
    // If that fails, the next run continues them.
    guard !stopped.isEmpty, (try? await manager.resume(stopped)) != nil else { return jobs }
    return await read()
  }

  /// Whether only the user continues a job. A browser must not give up its download for such a job.
  private static func isStoppedByUser(_ job: Job) -> Bool {
    switch job.state {
    case .paused: true
    case .interrupted: job.specification.request.isOfClient != true
    case .queued, .active, .complete, .failed: false
    }
  }

  /// Whether a run has something to do for a job.
  private static func isWanted(_ job: Job) -> Bool { job.state != .complete && !isStoppedByUser(job) }

  private func specification(_ download: BrowserDownload) throws(BrowserProblem) -> JobSpecification {
    try NativeMessagingHost.refusePost(download)
    var request = TransferRequest(url: download.url)
    if let user = download.user { request.takeUser(user.user, user.password) }
    download.put(into: &request)
    var job = JobSpecification(request: request, directory: settings.directory, output: download.name)
    // No user can be asked, so an existing file stays, and the new one gets another name.
    job.options.onConflict = .rename
    job.options.expectedSize = download.size
    do throws(Failure) {
      try CredentialRule.check(request)
      return try clients.added(job)
    } catch {
      throw problem(error)
    }
  }

  static func refusePost(_ download: BrowserDownload) throws(BrowserProblem) {
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
      if added.existing, let job = jobs[added.id], NativeMessagingHost.isStoppedByUser(job) {
        let advice: Advice = "\(.resume, job.id) continues it"
        return BrowserAnswer(
          to: id,
          refusing: BrowserProblem(
            .refused, "job \(job.id) has this file, and is stopped", advice: advice.text(settings.names)))
      }
      return BrowserAnswer(to: id) { json in
        NativeMessagingHost.write(jobs[added.id], added.uuid.uuidString, added.id, to: &json)
        json.field("existing", added.existing)
        if let note { json.field("message", note) }
      }
    case .success(.alreadyComplete(let number, let path, _)):
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

  static func write(_ job: Job?, _ uuid: String, _ number: JobID, to json: inout JSONText) {
    json.field("job", uuid)
    json.field("number", number)
    json.field("output", job.map { PathText.join($0.specification.directory, NativeMessagingHost.name($0)) })
    json.field("state", (job?.state ?? .queued).rawValue)
  }

  /// Returns the name of a job's file, or the name that it probably gets.
  static func name(_ job: Job) -> String {
    job.fileName ?? job.specification.output ?? FileName.fromURLPath(job.specification.request.url.path)
  }
}

extension Admission {
  fileprivate var jobID: JobID? {
    switch self {
    case .job(let added): added.id
    case .alreadyComplete(let id, _, _): id
    case .present, .skipped: nil
    }
  }
}
