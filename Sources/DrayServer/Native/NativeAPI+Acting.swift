// The calls that act on existing jobs.

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

  /// Applies an action to every job to which it can apply.
  func actOnAll(_ action: JobAction) async throws(APIFailure) -> [ActionResult] {
    let states: Set<JobState> =
      switch action {
      case .pause: [.queued, .active, .interrupted]
      case .resume: [.paused, .interrupted]
      case .retry: [.failed]
      case .again, .delete: [.complete]
      case .remove: Set(JobState.allCases)
      }
    let ids = try await trying { () async throws(Failure) in try await manager.jobs.ids(states: states) }
    return ids.isEmpty ? [] : try await act(action, ids)
  }

  /// Applies an action to the given jobs. Returns one result for each job, in the order of the jobs.
  func act(_ action: JobAction, _ ids: [JobID]) async throws(APIFailure) -> [ActionResult] {
    var seen: Set<JobID> = []
    let ids = ids.filter { seen.insert($0).inserted }
    if action == .again { return try await fetchAgain(ids) }
    if action == .delete { return try await delete(ids) }
    let isRemoval = action == .remove
    let (waits, places) = isRemoval ? (try await prerequisites(of: ids), try await formerPlaces(of: ids)) : ([:], [:])
    let outcomes = try await trying { () async throws(Failure) -> [DownloadManager.ControlOutcome] in
      switch action {
      case .pause: try await manager.pause(ids)
      case .resume: try await manager.resume(ids)
      case .retry: try await clients.startOver(ids, manager)
      case .remove: try await manager.remove(ids)
      case .again, .delete: []
      }
    }
    var results: [JobID: ControlResult] = [:]
    for (id, result) in outcomes { results[id] = result }
    var tokens: [JobID: String] = [:]
    if action == .remove {
      let removed = ids.compactMap { results[$0]?.job }.map { job in
        var job = job
        job.specification.after = waits[job.id] ?? []
        return RemovedJob(job: job, place: places[job.id] ?? FormerPlace())
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

  /// Returns for each job the jobs that it waits for; the removal of the job deletes that information.
  private func prerequisites(of ids: [JobID]) async throws(APIFailure) -> [JobID: [JobID]] {
    let summaries = try await trying { () async throws(Failure) in try await manager.jobs.summaries(ids: ids) }
    return summaries.reduce(into: [:]) { waits, job in
      if !job.waitsFor.isEmpty { waits[job.id] = job.waitsFor }
    }
  }

  /// Returns the places in the queue that jobs have just before their removal.
  private func formerPlaces(of ids: [JobID]) async throws(APIFailure) -> [JobID: FormerPlace] {
    let removed = Set(ids)
    let states = try await trying { () async throws(Failure) in try await manager.jobs.states(of: removed) }
    // Most jobs that clients remove have ended and have no such place.
    guard states.values.contains(where: { [.queued, .paused, .interrupted].contains($0) }) else { return [:] }
    return FormerPlace.all(of: removed, among: try await waiting().map { ($0.id, $0.priority) })
  }

  func undo(_ tokens: [String]) async throws(APIFailure) -> [ActionResult] {
    var results: [Int: ActionResult] = [:]
    var jobs: [Int: RemovedJob] = [:]
    var held: Set<Int> = []
    for (index, token) in tokens.enumerated() {
      guard var removed = await removals.take(token) else {
        results[index] = ActionResult(
          id: nil, outcome: .unknown, message: "this removal cannot be taken back any more")
        continue
      }
      if let objection = UndoRule.objection(to: removed.job) {
        await removals.putBack(removed, as: token)
        results[index] = ActionResult(id: nil, outcome: .refused, message: ActionResult.isGone(objection))
      } else if let failure = await deletions.restore(token) {
        await removals.putBack(removed, as: token)
        results[index] = ActionResult(id: nil, outcome: .refused, message: failure.message(settings.names))
      } else {
        let state = removed.job.state
        removed.job = clients.restored(removed.job)
        if removed.job.state != state { held.insert(index) }
        jobs[index] = removed
      }
    }
    // The jobs are brought back together, because some of them may wait for others.
    let indices = jobs.sorted { ($0.value.place.index, $0.key) < ($1.value.place.index, $1.key) }.map(\.key)
    let all = indices.compactMap { jobs[$0]?.job }
    let together = all.isEmpty ? nil : try? await manager.jobs.restore(all, now: WallClock.now())
    for (place, index) in indices.enumerated() {
      guard let removed = jobs[index] else { continue }
      if let together, together.indices.contains(place) {
        results[index] = ActionResult(together[place])
      } else {
        results[index] = await restore(removed, tokens[index])
      }
    }
    var back: [JobID: JobID] = [:]
    for (index, removed) in jobs where results[index]?.outcome == .done {
      back[removed.job.id] = results[index]?.id
    }
    await returnToPlaces(indices.compactMap { jobs[$0] }, back)
    for index in held where results[index]?.outcome == .done {
      results[index]?.message = "it is paused: only its user may begin it"
    }
    return tokens.indices.compactMap { results[$0] }
  }

  /// Moves jobs that were brought back to their former places in the queue.
  /// - Parameters:
  ///   - removed: The jobs in their former order.
  ///   - back: The new number of each job by its former one.
  private func returnToPlaces(_ removed: [RemovedJob], _ back: [JobID: JobID]) async {
    func neighbours(_ job: RemovedJob) -> [JobID?] { [job.place.next, job.place.previous] }
    for pair in Set(removed.map(neighbours)) {
      let ids = removed.filter { neighbours($0) == pair }.compactMap { back[$0.job.id] }
      guard !ids.isEmpty else { continue }
      if let next = pair[0], (try? await manager.move(ids, to: .before(next))) != nil { continue }
      // The neighbour of a job may have started or may no longer exist.
      if let previous = pair[1] { try? await manager.move(ids, to: .after(previous)) }
    }
  }

  /// Brings one job back; this is used if not all of them can be brought back.
  private func restore(_ removed: RemovedJob, _ token: String) async -> ActionResult {
    do throws(Failure) {
      let back = try await manager.jobs.restore([removed.job], now: WallClock.now())
      return back.first.map { ActionResult($0) } ?? ActionResult(id: nil, outcome: .unknown)
    } catch {
      await removals.putBack(removed, as: token)
      return ActionResult(id: nil, outcome: .refused, message: error.message(settings.names))
    }
  }

  func move(_ ids: [JobID], _ place: QueuePlace) async throws(APIFailure) -> WebResponse {
    var seen: Set<JobID> = []
    do throws(Failure) {
      try await manager.move(ids.filter { seen.insert($0).inserted }, to: place)
    } catch {
      // The call has a valid form, but the present state of the jobs does not allow the change.
      throw error.kind == .usage
        ? APIFailure(409, .conflict, error.description, advice: error.advice?.text(settings.names)) : refused(error)
    }
    return NativeAPI.object { _ in }
  }

  func change(_ id: JobID, _ change: ChangeOrder) async throws(APIFailure) -> WebResponse {
    var job = try await found(id)
    if let text = change.url {
      let parsed = try JobOrder.parse(text)
      let present = job
      let link = try judging { (clients) throws(Failure) in
        try ClientLink(parsed.url, user: parsed.userInfo, for: present, clients)
      }
      let result = try await trying { () async throws(Failure) in try await link.give(manager).result }
      try check(result, id)
      job = try await found(id)
    }
    // A new limit must also reach a transfer that is running.
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
    if let directory = change.directory { wanted.directory = resolved(directory) }
    if let output = change.output { wanted.output = output.value }
    if wanted != job.specification {
      let own = try judging { (clients) throws(Failure) in try clients.changed(wanted, from: job.specification) }
      let revision = JobRevision(job, own)
      _ = try await trying { () async throws(Failure) in try await manager.change([revision], isForClient: true) }
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
  /// The job that the action changed; `nil` if the action did nothing.
  fileprivate var job: Job? {
    switch self {
    case .done(let job), .asked(let job): job
    case .refused, .unknown: nil
    }
  }
}

extension ActionResult {
  /// Returns the message about a removed job that cannot be brought back.
  fileprivate static func isGone(_ objection: String) -> String { "it cannot be added again: \(objection)" }

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
