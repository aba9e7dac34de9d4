// Carries out the changes that aria2's clients make, as calls of a download manager.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import FoundationEssentials

extension ManagerQueue {
  /// Runs `body`, which changes jobs. Whether `body` succeeds or fails, the next call reads the jobs again.
  func changing<Result>(_ body: () async throws(Failure) -> Result) async throws(Failure) -> Result {
    do throws(Failure) {
      let result = try await body()
      readAgain()
      return result
    } catch {
      readAgain()
      throw error
    }
  }

  /// The next call reads the jobs again, because they may have changed.
  func readAgain() {
    records.changed()
    glance.change()
  }

  nonisolated func objection(to addition: Aria2Addition) -> Failure? {
    do throws(Failure) {
      _ = try clients.rule.permitted(addition.specification)
      return nil
    } catch {
      return error
    }
  }

  func add(_ additions: [Aria2Addition], at place: Int?) async throws(Failure) -> [GID] {
    try await changing { () async throws(Failure) in try await addNow(additions, at: place) }
  }

  private func addNow(_ additions: [Aria2Addition], at place: Int?) async throws(Failure) -> [GID] {
    var specifications: [JobSpecification] = []
    for addition in additions { specifications.append(try clients.added(addition.specification)) }
    let admissions = try await manager.admit(specifications, entering: try await entrance(additions, at: place))
    var gids: [GID] = []
    var again: (paused: [JobID], going: [JobID], moved: [JobID]) = ([], [], [])
    let others = try await ofUser(admissions)
    for (addition, admission) in zip(additions, admissions) {
      let id: JobID
      switch admission {
      case .job(let job):
        id = job.id
        guard !others.contains(id) else {
          gids.append(GID(job.uuid))
          continue
        }
        if job.existing {
          if addition.isPaused { again.paused.append(id) } else { again.going.append(id) }
          again.moved.append(id)
        }
        let own = GID(job.uuid)
        if let gid = addition.gid, own != gid { records.choose(gid, for: id) }
        var known = addition.gid
        if known == nil, job.existing { known = records.gid(chosenFor: id) }
        gids.append(known ?? own)
      case .alreadyComplete(let job, _, _):
        id = job
        if let gid = addition.gid { records.choose(gid, for: id) }
        guard let known = try await self.jobs([id], isWhole: false).first else {
          throw Failure(.file, addition.specification.request.url.description, "it was just removed", recovery: .retry)
        }
        gids.append(known.gid)
      case .skipped(let path, _), .present(let path):
        throw Failure(.file, path, "it is there already", recovery: .keep)
      }
      keep(addition.kept, of: id)
    }
    let taken = again.moved
    if !taken.isEmpty { try await takeUp(taken) }
    if !again.paused.isEmpty { _ = try await manager.pause(again.paused) }
    if !again.going.isEmpty { _ = try await manager.resume(again.going) }
    if let place {
      readAgain()
      for id in again.moved { try await moveIfWaiting(id, to: place) }
    }
    return gids
  }

  /// Returns those admitted jobs that already existed and belong to the service's user. A client that adds the URL of
  /// such a job does not change the job.
  private func ofUser(_ admissions: [Admission]) async throws(Failure) -> Set<JobID> {
    let existing = admissions.compactMap { admission in
      if case .job(let job) = admission, job.existing { job.id } else { nil }
    }
    guard !existing.isEmpty else { return [] }
    return Set(
      try await manager.jobs.jobs(ids: existing).filter { $0.specification.request.isOfClient != true }.map(\.id))
  }

  /// Returns how new jobs enter the queue, as the client chose: the position and the UUIDs. A GID that a client chooses
  /// becomes the first half of the job's UUID. The second half is derived from the GID, so that the store recognises a
  /// repeated call.
  private func entrance(_ additions: [Aria2Addition], at index: Int?) async throws(Failure) -> Entrance {
    // As in aria2, the file is fetched again although it exists, and the options allow-overwrite and auto-file-renaming
    // decide what becomes of the existing one.
    var entrance = Entrance(fetchesAgain: true)
    entrance.isForClient = true
    for (number, addition) in additions.enumerated() {
      if addition.isPaused { entrance.paused.insert(number) }
      if addition.kept["continue"] == "true", addition.specification.options.onConflict != .overwrite {
        entrance.continuing.insert(number)
      }
      if let gid = addition.gid { entrance.uuids[number] = UUID(uuidString: gid.uuid(in: manager.home.path)) }
    }
    if let index { entrance.place = place(index, among: try await ids(.waiting)) }
    return entrance
  }

  func pause(_ ids: [JobID]) async throws(Failure) -> Set<JobID> {
    guard !ids.isEmpty else { return [] }
    // A removed job can be paused only if it was continued, so these jobs no longer count as removed.
    removed.subtract(ids)
    return ManagerQueue.done(try await changing { () async throws(Failure) in try await manager.pause(ids) })
  }

  func resume(_ ids: [JobID]) async throws(Failure) -> Set<JobID> {
    guard !ids.isEmpty else { return [] }
    return ManagerQueue.done(try await changing { () async throws(Failure) in try await manager.resume(ids) })
  }

  static func done(_ outcomes: [DownloadManager.ControlOutcome]) -> Set<JobID> {
    outcomes.reduce(into: []) { done, outcome in
      switch outcome.result {
      case .done, .asked: done.insert(outcome.id)
      case .refused, .unknown: break
      }
    }
  }

  func move(_ id: JobID, to index: Int) async throws(Failure) {
    let place = place(index, among: try await ids(.waiting).filter { $0 != id })
    try await changing { () async throws(Failure) in try await manager.move([id], to: place) }
  }

  private func place(_ index: Int, among others: [JobID]) -> QueuePlace {
    if index <= 0 { .first } else if others.indices.contains(index) { .before(others[index]) } else { .last }
  }

  /// Moves a job in the queue if the job is waiting. A job that already existed may start or even end before it is
  /// moved.
  private func moveIfWaiting(_ id: JobID, to index: Int) async throws(Failure) {
    do throws(Failure) {
      try await move(id, to: index)
    } catch {
      guard error.kind == .usage else { throw error }
    }
  }

  // MARK: Limits

  func limits() async throws(Failure) -> Aria2Limits {
    let rate = try await manager.limit()?.rule.rate(at: Date().timeIntervalSince1970, zone: .current)
    return Aria2Limits(rate: rate, jobs: try await manager.jobsLimit()?.number)
  }

  func set(_ limits: Aria2Limits) async throws(Failure) {
    let before = try await self.limits()
    if limits.rate != before.rate {
      if let rate = limits.rate { try await manager.setLimit("\(rate)") } else { try await manager.clearLimit() }
    }
    guard limits.jobs != before.jobs else { return }
    if let jobs = limits.jobs { try await manager.setJobs(.fixed(jobs)) } else { try await manager.clearJobs() }
  }
}
