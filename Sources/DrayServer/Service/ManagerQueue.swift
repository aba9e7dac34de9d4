// The queue for aria2's methods, based on a download manager. This file has the parts that read.

internal import DrayCore
internal import DrayKit
internal import DrayStore

actor ManagerQueue: Aria2Queue {
  nonisolated let directory: String
  nonisolated let session: String
  nonisolated var home: String? { clients.rule.home }
  let manager: DownloadManager
  let records: Aria2Records
  let clients: ClientJobs
  /// The jobs as they were answered last. Every change of this queue ends their validity.
  nonisolated let glance = Aria2Glance()
  private let end: @Sendable () async -> Void
  private var memory = Aria2Memory()
  /// The removed jobs whose bytes are kept, as recorded in the store; `nil` until they are first read.
  private var known: SetAside?
  /// The jobs with bytes that clients removed while this service has been running. In the store these jobs are paused,
  /// but clients see them as ended.
  var removed: Set<JobID> = []
  private var shown: (until: ContinuousClock.Instant, entries: [JobID: ProgressEntry])?

  /// - Parameters:
  ///   - directory: The absolute path of the default directory.
  ///   - rule: The rule that clients' jobs must meet. The rule must allow `directory`.
  ///   - prepare: Adds the settings of the configuration to clients' jobs.
  ///   - end: Called to stop the service soon.
  init(
    _ manager: DownloadManager, directory: String, rule: OutsideRule, prepare: JobPreparation = .none,
    end: @escaping @Sendable () async -> Void
  ) {
    (self.manager, self.directory, self.end) = (manager, directory, end)
    clients = ClientJobs(rule: rule, preparation: prepare)
    records = Aria2Records(manager.jobs)
    session = (0..<40).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
  }

  // MARK: Reading

  func ids(_ list: Aria2Status.List) async throws(Failure) -> [JobID] {
    let ids = try await records.ids(list)
    guard list != .active else { return ids }
    let aside = try await keptAside()
    guard list != .stopped else { return memory.removed.map(\.id) + aside + ids }
    let hidden = Set(aside)
    return hidden.isEmpty ? ids : ids.filter { !hidden.contains($0) }
  }

  func ids(_ prefix: GID) async throws(Failure) -> [JobID] {
    let removed = memory.removed.filter { prefix.begins($0.gid) }.map(\.id)
    let all = Set(try await records.ids(prefix)).union(removed)
    // A single job that is gone is noticed when it is read.
    guard all.count > 1 else { return Array(all) }
    let present = try await manager.jobs.states(of: all)
    return all.filter { present[$0] != nil || removed.contains($0) }.sorted()
  }

  nonisolated func known(_ gid: GID, isWhole: Bool) -> Aria2Job? {
    gid.isFull ? glance.job(Aria2Glance.Name(gid: gid, isWhole: isWhole)) : nil
  }

  func job(named prefix: GID, isWhole: Bool) async throws(Failure) -> Aria2Found {
    let (changes, before) = (glance.changes, records.validUntil)
    let ids = try await ids(prefix)
    guard ids.count == 1 else { return Aria2Found(matches: ids.count) }
    let job = try await jobs(ids, isWhole: isWhole).first
    // If the records were read again in the meantime, it is not known whether the job is as old as they are.
    if let job, prefix.isFull, let until = records.validUntil, until == before {
      let progress = job.status == .active ? shown?.until : nil
      let name = Aria2Glance.Name(gid: prefix, isWhole: isWhole)
      glance.keep(job, name, until: progress.map { min($0, until) } ?? until, after: changes)
    }
    return Aria2Found(matches: 1, job: job)
  }

  func jobs(_ ids: [JobID], isWhole: Bool) async throws(Failure) -> [Aria2Job] {
    var found = try await records.jobs(ids, isWhole: isWhole)
    for job in memory.removed where ids.contains(job.id) { found[job.id] = found[job.id] ?? job }
    let aside = try await aside()
    for id in ids where aside.contains(id) {
      if let job = found[id], aside.has(job) { found[id]?.status = .removed }
    }
    let live = found.values.contains { $0.status == .active } ? try await progress() : [:]
    return ids.compactMap { id in found[id]?.showing(live[id]) }
  }

  /// Returns the progress of the active jobs. Runners report it five times per second, so reading it more often would
  /// bring nothing new.
  private func progress() async throws(Failure) -> [JobID: ProgressEntry] {
    let now = ContinuousClock.now
    if let shown, shown.until > now { return shown.entries }
    let entries = try await manager.progress()
    shown = (now.advanced(by: .milliseconds(100)), entries)
    return entries
  }

  func specification(of id: JobID) async throws(Failure) -> JobSpecification? {
    try await manager.jobs.job(id)?.specification
  }

  // MARK: The service's own data

  func keptOptions(of id: JobID?) -> [String: String] { memory[options: id] }
  func keep(_ options: [String: String], of id: JobID?) { memory[options: id] = options }

  /// Remembers jobs that are about to be removed, because clients still ask for their state.
  func keep(removed jobs: [Aria2Job]) {
    memory.keep(removed: jobs)
    glance.change()
  }

  /// Forgets the given jobs that only this memory knows.
  /// - Returns: The remaining jobs, which are in the store or do not exist.
  func forgetRemoved(_ ids: [JobID]) -> [JobID] {
    let removed = Set(memory.removed.map(\.id))
    memory.forget(ids)
    records.forget(ids)
    glance.change()
    return ids.filter { !removed.contains($0) }
  }

  /// Drops what is remembered about jobs that no longer exist.
  /// - Parameter ids: Jobs that may no longer exist. The jobs with remembered options are examined as well.
  func forgetGone(_ ids: [JobID]) async throws(Failure) {
    let kept = Set(ids).union(memory.described).union(removed)
    let present = try await manager.jobs.states(of: kept)
    let gone = kept.filter { present[$0] == nil }
    memory.forgetOptions(of: gone)
    removed.subtract(gone)
    records.forget(Array(gone))
    glance.change()
  }

  func forgetAllRemoved() { _ = forgetRemoved(memory.removed.map(\.id)) }

  func stop() async { await end() }

  // MARK: Removed jobs with bytes

  /// Returns the removed jobs whose bytes are kept.
  func aside() async throws(Failure) -> SetAside {
    if let known { return known }
    let text = try await manager.jobs.setting(.removedByClients)
    // Another call may have read them in the meantime.
    if let known { return known }
    let read = SetAside(text ?? "")
    known = read
    return read
  }

  /// Changes the record of the removed jobs whose bytes are kept. Once this method returns, the change is on the disk.
  func changeAside(_ change: (inout SetAside) -> Void) async throws(Failure) {
    let read = try await aside()
    let before = known ?? read
    var wanted = before
    change(&wanted)
    guard wanted != before else { return }
    known = wanted
    glance.change()
    // Another call may change the record again before this change is written.
    var written: SetAside
    repeat {
      written = known ?? wanted
      try await manager.jobs.set(.removedByClients, to: written.text)
    } while known != written
  }

  /// Whether a client removed the given job, which is paused now.
  func isRemoved(_ id: JobID) -> Bool { removed.contains(id) }
}
