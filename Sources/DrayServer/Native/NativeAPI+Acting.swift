// Calls that act on jobs.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import Threads
internal import WebServer

extension NativeAPI {
  func actOnOne(_ action: JobAction, _ id: JobID) async throws(APIFailure) -> WebResponse {
    let results = try await act(action, [id])
    if results.contains(where: { $0.outcome == .unknown }) { throw .noJob(id) }
    return NativeAPI.results(results)
  }

  /// Applies an action to every job for which it has a meaning.
  func actOnAll(_ action: JobAction) async throws(APIFailure) -> [ActionResult] {
    let states: Set<JobState> =
      switch action {
      case .pause: [.queued, .active, .interrupted]
      case .resume: [.paused, .interrupted]
      case .retry: [.failed]
      case .again: [.complete]
      case .remove: Set(JobState.allCases)
      }
    let ids = try await trying { () async throws(Failure) in try await manager.jobs.ids(states: states) }
    return ids.isEmpty ? [] : try await act(action, ids)
  }

  /// Applies an action to jobs. Returns a result for each, in order.
  func act(_ action: JobAction, _ ids: [JobID]) async throws(APIFailure) -> [ActionResult] {
    var seen: Set<JobID> = []
    let ids = ids.filter { seen.insert($0).inserted }
    if action == .again { return try await fetchAgain(ids) }
    let waits = action == .remove ? try await prerequisites(of: ids) : [:]
    let outcomes = try await trying { () async throws(Failure) -> [DownloadManager.ControlOutcome] in
      switch action {
      case .pause: try await manager.pause(ids)
      case .resume: try await manager.resume(ids)
      case .retry: try await manager.retry(ids)
      case .remove: try await manager.remove(ids)
      case .again: []
      }
    }
    var results: [JobID: ControlResult] = [:]
    for (id, result) in outcomes { results[id] = result }
    var tokens: [JobID: String] = [:]
    if action == .remove {
      let removed = ids.compactMap { results[$0]?.job }.map { job in
        var job = job
        job.specification.after = waits[job.id] ?? []
        return job
      }
      tokens = await removals.keep(removed)
    }
    return ids.map { id in
      let control = results[id] ?? .unknown
      var result = ActionResult(control, of: id, settings.names)
      if let token = tokens[id] {
        if let objection = control.job.flatMap(UndoRule.objection(to:)) {
          let why = ActionResult.isGone(objection)
          result.message = result.message.map { "\($0); \(why)" } ?? why
        } else {
          result.undo = token
        }
      }
      return result
    }
  }

  /// Returns the prerequisites of each job, which a removal deletes.
  private func prerequisites(of ids: [JobID]) async throws(APIFailure) -> [JobID: [JobID]] {
    let summaries = try await trying { () async throws(Failure) in try await manager.jobs.summaries(ids: ids) }
    return summaries.reduce(into: [:]) { waits, job in
      if !job.waitsFor.isEmpty { waits[job.id] = job.waitsFor }
    }
  }

  /// Undoes removals.
  func undo(_ tokens: [String]) async throws(APIFailure) -> [ActionResult] {
    var jobs: [Job?] = []
    for token in tokens { jobs.append(await removals.take(token)) }
    // Bring them back together, because some may wait for others.
    let all = jobs.compactMap(\.self).filter { UndoRule.objection(to: $0) == nil }
    let together = all.isEmpty ? nil : try? await manager.jobs.bringBack(all, now: WallClock.now())
    var back = (together ?? []).makeIterator()
    var results: [ActionResult] = []
    for (token, job) in zip(tokens, jobs) {
      guard let job else {
        results.append(
          ActionResult(id: nil, outcome: .unknown, message: "this removal cannot be taken back any more"))
        continue
      }
      if let objection = UndoRule.objection(to: job) {
        await removals.putBack(job, as: token)
        results.append(ActionResult(id: nil, outcome: .refused, message: ActionResult.isGone(objection)))
      } else if let added = back.next() {
        results.append(ActionResult(added))
      } else {
        results.append(await bringBack(job, token))
      }
    }
    return results
  }

  /// Brings back a single job, if not all can come back.
  private func bringBack(_ job: Job, _ token: String) async -> ActionResult {
    do throws(Failure) {
      let back = try await manager.jobs.bringBack([job], now: WallClock.now())
      return back.first.map { ActionResult($0) } ?? ActionResult(id: nil, outcome: .unknown)
    } catch {
      await removals.putBack(job, as: token)
      return ActionResult(id: nil, outcome: .refused, message: error.message(settings.names))
    }
  }

  func move(_ ids: [JobID], _ place: QueuePlace) async throws(APIFailure) -> WebResponse {
    var seen: Set<JobID> = []
    do throws(Failure) {
      try await manager.move(ids.filter { seen.insert($0).inserted }, to: place)
    } catch {
      // The call is well-formed, but the jobs' state does not allow it.
      throw error.kind == .usage
        ? APIFailure(409, .conflict, error.description, advice: error.advice?.text(settings.names)) : refused(error)
    }
    return NativeAPI.object { _ in }
  }

  func change(_ id: JobID, _ change: ChangeOrder) async throws(APIFailure) -> WebResponse {
    var job = try await found(id)
    if let text = change.url {
      let parsed = try JobOrder.parse(text)
      var wanted = job.specification
      wanted.request = wanted.request.moved(to: parsed.url)
      if let info = parsed.userInfo { wanted.request.takeUser(info.user, info.password) }
      _ = try permitted(wanted, changing: job.specification)
      let result = try await trying { () async throws(Failure) in
        try await manager.setURL(id, parsed.url, user: parsed.userInfo).result
      }
      try check(result, id)
      job = try await found(id)
    }
    // A new limit also applies to a running transfer.
    if change.settings.texts["limit-rate"] != nil {
      try change.settings.put(into: &job.specification)
      let rate = job.specification.options.rateLimit
      let isThere = try await trying { () async throws(Failure) in try await manager.jobs.setRateLimit(rate, of: id) }
      guard isThere else { throw .noJob(id) }
    }
    job = try await found(id)
    var wanted = job.specification
    try change.settings.put(into: &wanted)
    if let user = change.user {
      wanted.request.takeUser(user, change.password)
      let request = wanted.request
      try await trying { () async throws(Failure) in try CredentialRule.check(request) }
    }
    if wanted != job.specification {
      let revision = JobRevision(job, wanted)
      _ = try await trying { () async throws(Failure) in try await manager.change([revision]) }
    }
    return try await line(id)
  }

  private func check(_ result: ControlResult, _ id: JobID) throws(APIFailure) {
    switch result {
    case .done, .asked: return
    case .unknown: throw .noJob(id)
    case .refused(let reason, let advice):
      throw APIFailure(409, .conflict, "job \(id): \(reason)", advice: advice?.text(settings.names))
    }
  }
}

extension ControlResult {
  /// The job; `nil` if nothing was done.
  fileprivate var job: Job? {
    switch self {
    case .done(let job), .asked(let job): job
    case .refused, .unknown: nil
    }
  }
}

extension ActionResult {
  /// Returns the message on a removal that cannot be undone.
  fileprivate static func isGone(_ objection: String) -> String { "it cannot be added again: \(objection)" }

  /// Creates the result of undoing a removal.
  fileprivate init(_ added: AddedJob) {
    let isNew = !added.existing
    self.init(
      id: added.id, outcome: isNew ? .done : .refused, message: isNew ? nil : "job \(added.id) already fetches the same"
    )
  }

  fileprivate init(_ result: ControlResult, of id: JobID, _ names: Advice.Names) {
    switch result {
    case .done: self.init(id: id, outcome: .done)
    case .asked: self.init(id: id, outcome: .done, message: "its runner was asked to, and has not answered yet")
    case .unknown: self.init(id: id, outcome: .unknown, message: "no such job")
    case .refused(let reason, let advice):
      let words = advice.map { "\(reason); \($0.naming(id).text(names))" } ?? reason
      self.init(id: id, outcome: .refused, message: words)
    }
  }
}
