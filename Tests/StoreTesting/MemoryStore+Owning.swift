// The store in memory, for runners: claiming jobs, and recording their progress and outcome.

package import DrayCore
package import DrayStore
package import Foundation

extension MemoryStore {
  // MARK: Claiming

  package func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, now: Double,
    zone: LocalZone
  ) throws(Failure) -> [Job] {
    let isMember = member(of: scope)
    return try change { state in
      var jobs = state.withOthers(jobsPerOrigin, runner)
      var gates = state.withActive(queues)
      var found: [JobID] = []
      let queue = state.rows.values.filter { $0.job.state == .queued && isMember($0) }.sorted { one, other in
        let (mine, theirs) = (one.job.retry.used > 0, other.job.retry.used > 0)
        let isEqual = one.job.specification.priority == other.job.specification.priority
        return isEqual && mine != theirs ? theirs : one.isBefore(other)
      }
      for row in queue where found.count < limit {
        guard state.hold(on: row, now) == nil, row.isOver(row.job.notBefore, now),
          row.isOver(row.job.specification.startAt, now), row.opening(now, zone) == now, row.prerequisites.isEmpty,
          gates.admits(row.job.specification.queue), jobs.take(row.origin)
        else { continue }
        gates.add(1, to: row.job.specification.queue)
        found.append(row.job.id)
      }
      return state.take(found, runner)
    }
  }

  package func giveBack(_ ids: [JobID], runner: UUID) throws(Failure) -> Set<JobID> {
    try change { state in
      var kept: Set<JobID> = []
      for id in ids where state.rows[id]?.job.runner == runner {
        let isFree = state.update(id, runner, pending: .yield) { row in
          (row.job.state, row.job.runner) = (.queued, nil)
          row.job.attempts -= 1
        }
        if !isFree { kept.insert(id) }
      }
      return kept
    }
  }

  package func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, runner: UUID, now: Double, zone: LocalZone
  ) -> Double? {
    let isMember = member(of: scope)
    return look { state in
      state.nextDue(state.withOthers(jobsPerOrigin, runner), state.withActive(queues), now, zone, isMember)
    }
  }

  package func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) -> Bool {
    let isMember = member(of: scope)
    return look { state in
      state.nextDue(.unlimited, queues.withoutLimits, now, .utc, isMember) != nil
        || state.rows.values.contains { row in
          row.job.state == .queued && isMember(row)
            && row.prerequisites.contains { state.rows[$0]?.job.state == .active }
        }
    }
  }

  package func pending(scope: ClaimScope, runner: UUID) -> PendingJobs {
    let isMember = member(of: scope)
    return look { state in
      let rows = state.rows.values.filter(isMember)
      let mine = rows.count { $0.job.runner == runner }
      return PendingJobs(
        queued: rows.count { $0.job.state == .queued }, activeElsewhere: rows.count { $0.job.runner != nil } - mine,
        mine: mine)
    }
  }

  package func requeueInterrupted(scope: ClaimScope, now: Double) throws(Failure) -> [JobID] {
    try requeue(scope) { row in
      row.isOver(row.job.notBefore, now)
        || (row.job.notBefore ?? now) - now <= row.job.specification.options.maxRetryWait
    }
  }

  package func requeueAbandoned(scope: ClaimScope) throws(Failure) -> [JobID] {
    try requeue(scope) { $0.job.failure == nil }
  }

  private func requeue(_ scope: ClaimScope, _ isWanted: (MemoryRow) -> Bool) throws(Failure) -> [JobID] {
    let isMember = member(of: scope)
    func isChosen(_ row: MemoryRow) -> Bool {
      row.job.state == .interrupted && row.submittedAt == nil && isMember(row) && isWanted(row)
    }
    guard look({ $0.rows.values.contains(where: isChosen) }) else { return [] }
    return try change { state in
      let ids = state.sorted(where: isChosen).map(\.job.id)
      for id in ids {
        state.rows[id]?.job.state = .queued
        state.rows[id]?.job.retry.used = 0
      }
      return ids
    }
  }

  // MARK: During a transfer

  package func commands(runner: UUID) -> [(id: JobID, command: JobCommand)] {
    look { state in
      state.sorted { $0.job.runner == runner }.compactMap { row in row.command.map { (row.job.id, $0) } }
    }
  }

  package func rateLimits(runner: UUID) -> [JobID: Int64] {
    look { state in
      state.rows.filter { $0.value.job.runner == runner }.compactMapValues(\.job.specification.options.rateLimit)
    }
  }

  package func windows(runner: UUID) -> [JobID: TransferWindow] {
    look { state in
      state.rows.filter { $0.value.job.runner == runner }.compactMapValues(\.job.specification.window)
    }
  }

  package func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) throws(Failure) -> Bool {
    try change { state in
      let isHeld = state.update(id, runner) { row in
        row.job.response = response
        if row.job.checkpoint.segments.isEmpty { row.job.checkpoint.size = size }
      }
      if isHeld, response.head.status < 400 { state.endHold(passedBy: id) }
      return isHeld
    }
  }

  package func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    taken: Set<String>
  ) throws(Failure) -> String? {
    try change { (state) throws(Failure) -> String? in
      guard let row = state.rows[id], row.job.runner == runner else { return nil }
      if let fixed = row.job.fileName { return fixed }
      let free = try state.freeName(name, in: directory, policy: policy, besides: id, taken: taken)
      state.edit(id) { ($0.job.fileName, $0.job.specification.directory) = (free, directory) }
      return free
    }
  }

  package func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) throws(Failure) -> String? {
    try change { (state) throws(Failure) -> String? in
      guard let row = state.rows[id], row.job.runner == runner else { return nil }
      let free = try state.freeName(
        name, in: row.job.specification.directory, policy: .rename, besides: id, taken: taken)
      state.edit(id) { $0.job.fileName = free }
      return free
    }
  }

  package func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) throws(Failure) -> Job? {
    try self.change { (state) throws(Failure) -> Job? in
      guard var row = state.rows[id], row.job.runner == runner else { return nil }
      let before = row.job.specification
      change(&row.job.specification)
      let specification = row.job.specification
      if specification.directory != before.directory, let name = row.job.fileName {
        row.job.fileName = try state.freeName(
          name, in: specification.directory, at: specification.targetServer, policy: specification.options.onConflict,
          besides: id)
      }
      row.job.specification.request = before.request
      if specification.priority != before.priority { row.rank = nil }
      state.rows[id] = row
      return row.shown
    }
  }

  package func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32], expecting bad: [BlockSums.Extent],
    runner: UUID
  ) throws(Failure) -> Set<JobID> {
    try change { state in
      let held = Set(batch.filter { id, checkpoint in state.update(id, runner) { $0.claim(checkpoint) } }.map(\.id))
      if let id = batch.first?.id, held.contains(id), !bad.isEmpty {
        let old = state.rows[id]?.expected
        var sums = old?.sums ?? BlockSums()
        sums.add(bad)
        state.rows[id]?.expected = ExpectedVersion(sums: sums, repaired: old?.repaired)
      }
      return held
    }
  }

  package func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) throws(Failure) -> Bool {
    try change { state in
      state.update(id, runner) { row in
        row.job.checkpoint.size = nil
        row.forgetBytes()
        row.job.note = note
      }
    }
  }

  package func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) throws(Failure) -> Bool {
    try change { $0.update(id, runner) { _ in } }
  }

  package func expected(of id: JobID) -> ExpectedVersion? { look { $0.rows[id]?.expected } }

  package func recordDigestRetry(_ id: JobID, _ retry: DigestRetry, runner: UUID) throws(Failure) -> Bool {
    try change { state in
      guard let row = state.rows[id], row.digestRetries & retry.rawValue == 0 else { return false }
      return state.update(id, runner) { $0.digestRetries |= retry.rawValue }
    }
  }

  package func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) throws(Failure) -> Bool {
    try change { state in
      state.update(id, runner) { row in
        row.job.specification.options.adopts?.outcome = outcome
        if let checkpoint { row.claim(checkpoint) }
      }
    }
  }

  package func sessionCookies(_ id: JobID) -> [String] { look { $0.rows[id]?.cookies ?? [] } }

  package func record(sessionCookies lines: [String], of id: JobID, runner: UUID) throws(Failure) {
    try change { state in state.update(id, runner) { $0.cookies = lines } }
  }

  package func beginSubmission(_ id: JobID, runner: UUID, now: Double) throws(Failure) -> Bool {
    try change { state in state.update(id, runner) { $0.submittedAt = now } }
  }

  // MARK: Outcomes

  package func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule
  ) throws(Failure) -> Bool {
    try change { state in
      state.update(id, runner, pending: pending, attempt: attempt) { row in
        (row.job.state, row.job.runner, row.command, row.job.publishing) = (.queued, nil, nil, nil)
        (row.job.notBefore, row.waitingSince) = (notBefore, notBefore == nil ? nil : now)
        (row.job.retry, row.submittedAt, row.job.failure) = (retry, nil, failure)
      }
    }
  }

  package func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) throws(Failure) -> Bool {
    try change { memory in
      let isDone = memory.update(id, runner, pending: pending, attempt: attempt) { row in
        (row.job.state, row.job.runner, row.command, row.job.publishing) = (stop.state, nil, nil, nil)
        (row.job.notBefore, row.waitingSince) = (stop.notBefore, stop.notBefore == nil ? nil : now)
        (row.job.retry, row.job.failure) = (stop.retry, stop.failure)
        if stop.mayBeRepeated { row.submittedAt = nil }
        row.job.finishedAt = stop.state.isFinished ? now : nil
        if stop.state == .failed { row.forgetBytes() }
      }
      guard isDone, stop.state == .failed else { return isDone }
      if !memory.takeBackRepair(id, note: stop.failure.map { "its repair failed: \($0)" }, now: now) {
        memory.failDependents(of: [id], now: now)
      }
      return true
    }
  }

  package func retryOwned(_ id: JobID, runner: UUID) throws(Failure) -> Bool {
    try change { state in state.update(id, runner, pending: .carryOut(.retry)) { $0.queueAgain() } }
  }

  package func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) throws(Failure) -> Bool {
    try change { state in
      guard state.rows[id]?.job.runner == runner else { return false }
      state.delete(id)
      if isMet { for other in state.rows.keys { state.rows[other]?.prerequisites.remove(id) } }
      state.failDependents(of: [id])
      return true
    }
  }

  package func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) throws(Failure) -> Bool {
    try change { state in
      let isHeld = state.update(id, runner, attempt: attempt) { row in
        (row.job.state, row.job.runner, row.command) = (.complete, nil, nil)
        (row.job.publishing, row.job.published, row.job.failure, row.job.fileName) = (nil, nil, nil, nil)
        row.job.checkpoint.size = nil
        row.forgetBytes()
        row.expected = nil
        (row.job.note, row.job.finishedAt, row.job.response) = (note, now, response ?? row.job.response)
      }
      if isHeld { state.completed(id) }
      return isHeld
    }
  }

  package func release(_ runner: UUID) throws(Failure) -> Int {
    try change { state in
      let held = state.sorted { $0.job.runner == runner && $0.command == nil }
      for row in held {
        state.edit(row.job.id) { ($0.job.state, $0.job.runner, $0.job.failure) = (.interrupted, nil, nil) }
        state.recordUnanswered(row.job.id)
      }
      return held.count
    }
  }
}

extension MemoryState {
  mutating func finish(_ batch: [Finished], _ runner: UUID, _ now: Double) -> Set<JobID> {
    var held: Set<JobID> = []
    for one in batch where rows[one.id]?.job.runner == runner {
      held.insert(one.id)
      if rows[one.id]?.command == .remove {
        delete(one.id)
        for other in rows.keys { rows[other]?.prerequisites.remove(one.id) }
        continue
      }
      update(one.id, runner, attempt: one.attempt) { row in
        (row.job.state, row.job.runner, row.command) = (.complete, nil, nil)
        (row.job.publishing, row.job.failure, row.job.published) = (nil, nil, one.published)
        (row.job.checkpoint.segments, row.job.checkpoint.size) = (SegmentSet(0..<one.received), one.size)
        row.job.checkpoint.upload = nil
        row.bytesChanged()
        if let digest = one.digest { (row.job.digest, row.job.digestSource) = (digest.digest, digest.source) }
        (row.job.note, row.job.finishedAt) = (one.note, now)
      }
      completed(one.id)
    }
    return held
  }

  /// Permits a rename, and fixes the name of its target.
  mutating func permit(_ intent: PublishIntent, _ runner: UUID) -> PublishPermit {
    guard let row = rows[intent.id], row.job.runner == runner else { return .lost }
    var name = intent.fileName
    if let naming = intent.naming {
      do throws(Failure) {
        if let fixed = row.job.fileName, !naming.isAnother {
          name = fixed
        } else {
          name = try freeName(
            name, in: naming.directory, policy: naming.policy, besides: intent.id, taken: naming.taken)
        }
      } catch {
        return .refused(error)
      }
    }
    update(intent.id, runner) { row in
      (row.job.publishing, row.job.fileName) = (intent.identity, name)
      if let digest = intent.digest { (row.job.digest, row.job.digestSource) = (digest.digest, digest.source) }
      if let response = intent.response {
        (row.job.response, row.job.checkpoint.validators) = (response, response.head.validators)
      }
      if let sums = intent.sums { row.sums = sums }
    }
    return .granted(name)
  }
}
