// Reads the changes of a store for one reader, by comparing two readings of its records.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// The work runs on a thread that may block.
actor JobChangeReader {
  private let manager: DownloadManager
  private let ids: [JobID]?
  private let wanted: Set<JobID>?
  private let interval: Double
  private nonisolated let executor = BlockingExecutor("dray.watch")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Yields a value when the store may have changed.
  private let pulse = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private var observation: ChangeObservation?
  /// The jobs at the last reading: the named ones, or all that had not ended.
  private var known: [JobID: JobStatus] = [:]
  private var newest: JobID = 0
  private var lastAttempt: Int64 = 0
  private var mark: ChangeMark?
  private var shown: [JobID: ProgressEntry] = [:]
  private var hadRunners = false
  /// The records of the present reading, if there is one.
  private var records: [JobSummary]?
  private var readAt = 0.0
  private var reapedAt = 0.0
  /// The seconds that the last reading took.
  private var cost = 0.0

  /// Up to this number, named jobs are read one by one; if there are more, all jobs are listed.
  private static let few = 1000
  /// The seconds between two searches for dead runners while jobs are active.
  private static let reapInterval = 1.0

  init(_ manager: DownloadManager, _ ids: [JobID]?, interval: Double) {
    (self.manager, self.ids, self.interval) = (manager, ids, interval)
    wanted = ids.map { Set($0) }
  }

  /// Returns the next batch; `nil` once the task is cancelled.
  func next() async throws(Failure) -> JobChanges.Batch? {
    guard observation != nil else {
      observation = manager.store.observeChanges { [pulse] in pulse.continuation.yield() }
      return try await batch { () async throws(Failure) in try await begin() }
    }
    while !Task.isCancelled {
      let isActive = known.values.contains { $0.state == .active } || !shown.isEmpty
      if !isActive { for await _ in pulse.stream { break } }
      // Combine quick changes into one batch, and read a long list less often.
      let pause = max(interval, 4 * cost) - (SteadyClock.now() - readAt)
      if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
      if Task.isCancelled { return nil }
      let hadRunners = hadRunners
      let batch = try await batch { () async throws(Failure) in try await read(afterPulse: !isActive) }
      if isActive || batch.records != nil || batch.hasRunners != hadRunners { return batch }
    }
    return nil
  }

  private func batch(_ read: () async throws(Failure) -> [JobChange]) async throws(Failure) -> JobChanges.Batch {
    readAt = SteadyClock.now()
    defer { cost = SteadyClock.now() - readAt }
    records = nil
    let changes = try await read()
    return JobChanges.Batch(changes: changes, progress: shown, hasRunners: hadRunners, records: records)
  }

  private func begin() async throws(Failure) -> [JobChange] {
    await reap()
    // Take the mark first, so that changes during the reading are read again.
    mark = try await manager.store.changeMark()
    lastAttempt = try await manager.store.endedAttempts(after: .max).last
    newest = try await manager.store.newestID()
    let time = WallClock.now()
    let records = try await current()
    self.records = records
    for record in records { known[record.id] = JobStatus(record) }
    shown = try await progress()
    return records.map { JobChange(id: $0.id, time: time, kind: .present, record: $0) }
  }

  private func read(afterPulse: Bool) async throws(Failure) -> [JobChange] {
    if afterPulse || readAt - reapedAt >= JobChangeReader.reapInterval { await reap() }
    var changes: [JobChange] = []
    let now = try await manager.store.changeMark()
    if now != mark {
      mark = now
      changes = try await compare()
    }
    let progress = try await progress()
    let moved = progress.values.filter { entry in
      known[entry.job]?.state == .active && entry.phase != .waiting && shown[entry.job] != entry
    }
    shown = progress
    let time = WallClock.now()
    let records = try await manager.store.summaries(ids: moved.map(\.job).sorted())
    let entries = Dictionary(moved.map { ($0.job, $0) }) { $1 }
    return changes
      + records.compactMap { record in
        entries[record.id].map { JobChange(id: record.id, time: time, kind: .progress($0), record: record) }
      }
  }

  /// Releases the jobs of dead runners. If the store cannot be written, it is read nevertheless.
  private func reap() async {
    reapedAt = SteadyClock.now()
    try? await manager.refresh()
    hadRunners = (try? await manager.hasRunners()) ?? hadRunners
  }

  private func progress() async throws(Failure) -> [JobID: ProgressEntry] {
    try await manager.progress().filter { wanted?.contains($0.key) ?? true }
  }

  /// Returns the records to compare: of the named jobs, or of all unfinished and new ones.
  private func current() async throws(Failure) -> [JobSummary] {
    if let ids, ids.count <= JobChangeReader.few { return try await manager.store.summaries(ids: ids) }
    var all: [JobSummary] = []
    do {
      try await manager.store.forEachSummary(states: Set(JobState.allCases.filter { !$0.isFinished })) {
        all.append($0)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.other, manager.store.path, "\(error)")
    }
    // Jobs may have been added and have ended since the last reading.
    all += try await manager.store.summaries(after: newest, states: nil, limit: .max).filter { $0.state.isFinished }
    return wanted.map { wanted in all.filter { wanted.contains($0.id) } } ?? all
  }

  private func compare() async throws(Failure) -> [JobChange] {
    let before = newest
    let (last, ended) = try await manager.store.endedAttempts(after: lastAttempt)
    lastAttempt = last
    let all = try await current()
    records = all
    newest = max(newest, all.map(\.id).max() ?? 0)
    var changes: [JobChange] = []
    for record in all { try await note(record, isNew: record.id > before, attempts: ended[record.id] ?? 0, &changes) }
    // Jobs that are missing now have ended or were removed. Finished jobs may have been tried again in between.
    let seen = Set(all.map(\.id))
    let left = Set(known.keys).union(ended.keys.filter { wanted?.contains($0) ?? true }).subtracting(seen).sorted()
    let records = try await manager.store.summaries(ids: left)
    for record in records { try await note(record, isNew: false, attempts: ended[record.id] ?? 0, &changes) }
    for id in Set(left).subtracting(records.map(\.id)).sorted() where known.removeValue(forKey: id) != nil {
      changes.append(JobChange(id: id, time: WallClock.now(), kind: .removed))
    }
    return changes
  }

  /// - Parameter attempts: How many attempts at this job have ended since the last reading.
  private func note(
    _ record: JobSummary, isNew: Bool, attempts: Int, _ changes: inout [JobChange]
  ) async throws(Failure) {
    let new = JobStatus(record)
    var old = known[record.id]
    if old == nil, !isNew {
      // The job had ended, so it was not compared any more.
      let tried = attempts + (new.state == .active ? 1 : 0)
      guard !new.state.isFinished || tried > 0 else { return }
      old = JobStatus(
        state: .failed, attempts: max(0, new.attempts - tried), hasAnswered: new.hasAnswered && attempts == 0)
    }
    let isKept = ids.map { $0.count <= JobChangeReader.few } ?? false
    known[record.id] = !isKept && new.state.isFinished ? nil : new
    if new.state != .active { shown[record.id] = nil }
    guard old != new else { return }
    let time = WallClock.now()
    for transition in JobTransition.between(old, new) {
      let kind: JobChange.Kind
      switch transition {
      case .added: kind = .added
      case .queued: kind = .queued
      case .started(let attempt): kind = .started(attempt: attempt)
      case .answered:
        // Only the full record of a job contains the head of the answer.
        guard let response = try await manager.store.job(record.id)?.response else { continue }
        kind = .answered(response)
      case .retrying: kind = .retrying(delay: max(0, (record.notBefore ?? time) - time))
      case .interrupted: kind = .interrupted
      case .paused: kind = .paused
      case .failed: kind = .failed
      case .complete: kind = .complete
      }
      changes.append(JobChange(id: record.id, time: time, kind: kind, record: record))
    }
  }
}

extension JobStatus {
  init(_ record: JobSummary) {
    self.init(
      state: record.state, attempts: record.attempts, hasAnswered: record.finalURL != nil,
      notBefore: record.notBefore, finishedAt: record.finishedAt)
  }
}
