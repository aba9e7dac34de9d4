// The store in memory: repairs, changes and imports of jobs with their part files, and recovery from dead runners.

package import DrayCore
package import DrayStore
package import Foundation

extension MemoryStore {
  // MARK: Repairing a published file

  package func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) throws(Failure) -> Bool {
    try change { state in
      guard var row = state.rows[id], row.job.state == .complete else { return false }
      row.expected = ExpectedVersion(sums: sums, repaired: row.job.checkpoint.validators)
      row.expectedOffers = row.job.checkpoint.offered
      row.set(specification, SegmentSet())
      (row.job.state, row.job.runner) = (.active, runner)
      state.rows[id] = row
      return true
    }
  }

  package func abandonRepair(_ job: Job, runner: UUID) throws(Failure) {
    try change { state in
      guard state.rows[job.id]?.command != .remove else { return }
      let isHeld = state.update(job.id, runner) { row in
        row.set(job.specification, job.checkpoint.segments)
        row.command = nil
      }
      if isHeld { _ = state.takeBackRepair(job.id, note: nil, now: nil) }
    }
  }

  package func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) throws(Failure) -> Bool {
    try change { state in
      guard state.rows[id]?.command != .remove else { return false }
      return state.update(id, runner) { row in
        row.set(specification, checkpoint.segments)
        (row.job.state, row.job.runner, row.command) = (row.command == .pause ? .paused : .queued, nil, nil)
        (row.digestRetries, row.job.retry, row.job.notBefore, row.waitingSince) = (0, RetryRecord(), nil, nil)
        (row.job.specification.startAt, row.job.finishedAt, row.job.failure) = (nil, nil, nil)
        (row.job.note, row.job.publishing, row.sums) = (nil, nil, checkpoint.sums)
      }
    }
  }

  // MARK: Changing and importing jobs

  package func beginMove(_ changes: [JobRevision], runner: UUID) throws(Failure) {
    try change { (state) throws(Failure) in
      for one in changes {
        let job = try state.current(one, nil)
        _ = try state.name(one)
        state.rows[job.id]?.job.specification.options.moving = PartMove(
          from: job.specification.place, to: one.specification.place, state: job.state)
        state.rows[job.id]?.command = job.state == .paused ? .pause : nil
        state.edit(job.id) { ($0.job.state, $0.job.runner) = (.active, runner) }
      }
    }
  }

  package func change(_ changes: [JobRevision], runner: UUID?, now: Double) throws(Failure) {
    try change { (state) throws(Failure) in
      for one in changes {
        let job = try state.current(one, runner)
        let name = try state.name(one)
        guard var row = state.rows[job.id] else { continue }
        var wanted = one.specification
        wanted.options.moving = job.specification.options.moving
        (wanted.request.url, wanted.after, wanted.group) = (job.specification.request.url, [], nil)
        if wanted.priority != job.specification.priority { row.rank = nil }
        if wanted.startAt != one.before.specification.startAt {
          row.waitingSince = wanted.startAt != nil ? now : row.job.notBefore == nil ? nil : row.waitingSince
        }
        (row.job.specification, row.job.fileName) = (wanted, name)
        state.rows[job.id] = row
        if let after = one.after {
          state.rows[job.id]?.prerequisites = []
          try state.wait(existing: job.id, for: after)
        }
      }
    }
  }

  package func endMove(_ ids: [JobID], runner: UUID) throws(Failure) {
    try change { state in
      for id in ids where state.rows[id]?.job.runner == runner {
        state.update(id, runner) { row in
          let before = row.job.specification.options.moving?.state
          row.job.specification.options.moving = nil
          guard row.command == nil || row.command == .pause else { return }
          row.job.state = row.command == .pause ? .paused : before == .interrupted ? .interrupted : .queued
          (row.job.runner, row.command) = (nil, nil)
        }
      }
    }
  }

  package func restore(_ imported: [ImportedJob], runner: UUID?, now: Double) throws(Failure) -> [AddedJob] {
    try change { (state) throws(Failure) in
      var added: [AddedJob] = []
      for one in imported {
        let entrance = Entrance(uuids: one.uuid.map { [0: $0] } ?? [:])
        let all = try state.add([one.specification], now: now, seen: nil, entering: entrance)
        added += all
        guard let job = all.first, !job.existing else { continue }
        let isHeld = one.isHeld && runner != nil
        if let name = one.fileName {
          let free = try state.freeName(
            name, in: one.specification.directory, policy: one.specification.options.onConflict, besides: job.id)
          state.rows[job.id]?.job.fileName = free
        }
        state.rows[job.id]?.job.state = isHeld ? .active : one.isPaused ? .paused : .queued
        state.rows[job.id]?.job.runner = isHeld ? runner : nil
        state.rows[job.id]?.command = isHeld && one.isPaused ? .pause : nil
        guard let checkpoint = one.checkpoint, !one.isHeld else { continue }
        state.rows[job.id]?.claim(checkpoint)
        state.rows[job.id]?.job.retry.furthest = checkpoint.segments.end
      }
      for (one, job) in zip(imported, added) where !job.existing {
        try state.wait(job.id, for: one.waitsFor.filter(added.indices.contains).map { added[$0].id })
      }
      return added
    }
  }

  package func movedJobs(ofDeadRunners runners: Set<UUID>) -> [Job] {
    look { state in
      state.sorted { row in
        row.job.specification.options.moving != nil && row.job.runner.map(runners.contains) ?? false
      }.map(\.shown)
    }
  }

  package func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) throws(Failure) {
    try change { state in state.update(id, runner) { $0.job.specification.options.moving = nil } }
  }

  // MARK: Dead runners

  package func doomedJobs(ofDeadRunners runners: Set<UUID>) -> [Job] {
    look { state in
      state.sorted { $0.command == .remove && $0.job.runner.map(runners.contains) ?? false }.map(\.shown)
    }
  }

  package func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) throws(Failure) -> [RecoveredJob] {
    guard !runners.isEmpty else { return [] }
    return try change { state in
      let held = state.sorted { row in
        row.job.runner.map(runners.contains) ?? false && (row.command != .remove || doomed.contains(row.job.id))
      }
      let recovered = held.compactMap { state.applyCommand($0.job.id) }
      state.failDependents(of: recovered.filter { $0.command == .remove }.map(\.job.id))
      return recovered
    }
  }

  package func applyCommand(_ id: JobID, runner: UUID) throws(Failure) -> Bool {
    try change { state in
      guard state.rows[id]?.job.runner == runner, let done = state.applyCommand(id) else { return false }
      if done.command == .remove { state.failDependents(of: [id]) }
      return true
    }
  }
}

extension MemoryRow {
  /// Sets a job's request, options and claimed bytes.
  mutating func set(_ specification: JobSpecification, _ segments: SegmentSet) {
    job.specification.request = specification.request
    job.specification.options = specification.options
    job.checkpoint.segments = segments
    bytesChanged()
  }
}

extension MemoryState {
  mutating func applyCommand(_ id: JobID) -> RecoveredJob? {
    guard var row = rows[id] else { return nil }
    let command = row.command
    switch command {
    case .remove?:
      delete(id)
      return RecoveredJob(job: row.shown, command: command)
    case .retry?: row.queueAgain()
    case .pause?, .restart?, nil:
      row.job.state = command == .pause && row.job.publishing == nil ? .paused : .interrupted
      (row.job.runner, row.command, row.job.failure) = (nil, nil, nil)
    }
    rows[id] = row
    recordUnanswered(id)
    return RecoveredJob(job: row.shown, command: command)
  }

  /// Returns the current job of a change.
  func current(_ change: JobRevision, _ runner: UUID?) throws(Failure) -> Job {
    let id = change.before.id
    guard let job = rows[id]?.shown else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    }
    if let runner, job.runner == runner { return job }
    if let objection = ChangeRule.objection(to: change, now: job) { throw objection }
    return job
  }

  /// Returns the name of the target after a change. No other job has it.
  func name(_ change: JobRevision) throws(Failure) -> String? {
    let (specification, id) = (change.specification, change.before.id)
    guard change.movesDirectory || change.changesServer || change.renames else { return change.fileName }
    let same = sorted {
      $0.job.id != id && !$0.job.state.isFinished
        && $0.isSame(specification.key)
    }.first
    if specification.request.isSafe, let same {
      throw TargetClash(job: same.job.id, state: same.job.state, wasSubmitted: false)
        .failure(change.fileName.map { PathText.join(specification.directory, $0) } ?? specification.directory)
    }
    guard let name = change.fileName else { return nil }
    return try freeName(
      name, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict,
      besides: id)
  }
}
