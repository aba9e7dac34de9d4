// The store in memory: users' commands for jobs.

package import DrayCore
package import DrayStore

extension MemoryStore {
  package func pause(_ ids: [JobID]) throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try control(.pause, ids) { state, id in
      state.edit(id) { ($0.job.notBefore, $0.waitingSince) = (nil, nil) }
    }
  }

  package func resume(_ ids: [JobID]) throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try control(.resume, ids) { state, id in
      state.pass(id)
      state.edit(id) { ($0.job.notBefore, $0.waitingSince) = (nil, nil) }
      state.edit(id) { ($0.job.specification.startAt, $0.submittedAt) = (nil, nil) }
      state.rows[id]?.job.retry.used = 0
    }
  }

  package func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try control(.retry, ids) { (state, id) throws(Failure) in
      try state.nameAgain(id)
      if let specification = specifications[id] { _ = state.renew(id, specification) }
      state.rows[id]?.startOver()
    }
  }

  package func remove(_ ids: [JobID]) throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try control(.remove, ids) { _, _ in }
  }

  package func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) throws(Failure) -> ControlResult {
    try control(.setURL, [id]) { (state, id) throws(Failure) in
      guard let job = state.rows[id]?.job else { return }
      if job.state == .failed { try state.nameAgain(id) }
      var moved = job.specification.request.moved(to: url, keepingCredentials: keepingCredentials)
      moved.netrcSkipsDefault = nil
      state.rows[id]?.job.specification.request = try completing(moved)
      guard job.state != .active else { return }
      if job.specification.startAt == nil { state.rows[id]?.waitingSince = nil }
      state.edit(id) { ($0.job.notBefore, $0.submittedAt, $0.job.finishedAt) = (nil, nil, nil) }
      state.rows[id]?.job.failure = nil
      state.rows[id]?.job.retry.used = 0
    }.first?.result ?? .unknown
  }

  package func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) throws(Failure) -> ControlPage {
    var (page, plan) = (ControlPage(), ControlPlan())
    let rows = look { state in
      Array(state.sorted { $0.job.id > id && states.contains($0.job.state) }.prefix(limit))
    }
    for row in rows { plan.add(row.job.id, row.job.state, action) }
    let whole = rows.lazy.filter { row in
      row.bodyName != nil
        || (row.job.state == .complete
          ? row.job.specification.options.repairs != nil : row.job.attempts > 0 || row.job.checkpoint != Checkpoint())
    }.map(\.job.id)
    let gone = Set(plan.gone).subtracting(whole)
    for one in try remove(gone.sorted()) { if case .done = one.result { page.done += 1 } }
    for (_, ids) in plan.moved {
      page.done += ids.count
      _ = action == .resume ? try resume(ids) : try pause(ids)
    }
    (page.last, page.rest) = (plan.last, (plan.rest + Set(plan.gone).subtracting(gone)).sorted())
    return page
  }

  private func control(
    _ action: ControlAction, _ ids: [JobID], _ move: (inout MemoryState, JobID) throws(Failure) -> Void
  ) throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try change { (state) throws(Failure) in
      var (gone, again, results): ([JobID], [JobID], [(id: JobID, result: ControlResult)]) = ([], [], [])
      for id in ids {
        guard let before = state.rows[id]?.shown else {
          results.append((id, .unknown))
          continue
        }
        switch ControlMove.decide(action, in: before.state) {
        case .refuse(let reason, let advice): results.append((id, .refused(reason, advice: advice?.naming(id))))
        case .delete:
          state.delete(id)
          gone.append(id)
          results.append((id, .done(before)))
        case .withdraw:
          if state.rows[id]?.command == .pause { state.rows[id]?.command = nil }
          results.append((id, .done(before)))
        case .ask(let command):
          if action == .setURL { try move(&state, id) }
          state.rows[id]?.command = command
          results.append((id, .asked(state.rows[id]?.shown ?? before)))
        case .to(let next):
          do throws(Failure) { try move(&state, id) } catch {
            results.append((id, .refused(error.description, advice: error.advice)))
            continue
          }
          state.rows[id]?.job.state = next
          if before.state == .failed { again.append(id) }
          results.append((id, .done(state.rows[id]?.shown ?? before)))
        }
      }
      state.failDependents(of: gone)
      guard !again.isEmpty else { return results }
      state.queueDependents(of: again)
      return results.map { id, result in
        guard case .done = result, let now = state.rows[id]?.job, now.state == .failed, let failure = now.failure else {
          return (id, result)
        }
        return (id, .refused(failure.reason, advice: failure.advice))
      }
    }
  }

  package func move(_ ids: [JobID], to place: QueuePlace) throws(Failure) {
    try change { (state) throws(Failure) in try state.move(ids, to: place) }
  }

  package func setRateLimit(_ rate: Int64?, of id: JobID) throws(Failure) -> Bool {
    try change { state in
      state.rows[id]?.job.specification.options.rateLimit = rate
      return state.rows[id] != nil
    }
  }

  package func record(_ digest: SourcedDigest, of id: JobID) throws(Failure) -> Bool {
    try change { state in
      guard state.rows[id]?.job.state == .complete else { return false }
      state.edit(id) { ($0.job.digest, $0.job.digestSource) = (digest.digest, digest.source) }
      return true
    }
  }

  package func forgetFinished(before: Double?, limit: Int) throws(Failure) -> Int {
    try change { state in
      let finished = state.sorted { row in
        row.job.state.isFinished && (before.map { row.job.finishedAt ?? .infinity < $0 } ?? true)
      }.prefix(limit)
      for row in finished { state.delete(row.job.id) }
      return finished.count
    }
  }

  // MARK: Holds

  package func holds(now: Double) -> [OriginHold] {
    look { state in
      state.holds.values.filter { $0.isInForce(at: now) }.sorted { ($0.until, $0.origin) < ($1.until, $1.origin) }
    }
  }

  package func endHolds(of origins: [String]) throws(Failure) {
    try change { state in
      for origin in origins {
        state.holds[origin] = nil
        for row in state.sorted(where: { $0.origin == origin && [.queued, .interrupted].contains($0.job.state) }) {
          state.askAgain(row.job.id)
        }
      }
    }
  }

  package func askAtOnce(_ ids: [JobID], now: Double) throws(Failure) -> [HeldJobs] {
    try change { state in
      let chosen = Set(ids).filter { [.queued, .interrupted].contains(state.rows[$0]?.job.state) }.sorted()
      for id in chosen { state.askAgain(id) }
      let held = holds(now: now, state).compactMap { hold -> HeldJobs? in
        let waiting = chosen.filter { state.rows[$0]?.origin == hold.origin }
        return waiting.first.map { HeldJobs(hold: hold, count: waiting.count, first: $0) }
      }
      for id in chosen { state.pass(id) }
      return held
    }
  }

  package func heldJobs(scope: ClaimScope, now: Double) -> [HeldJobs] {
    let isMember = member(of: scope)
    return look { state in
      holds(now: now, state).compactMap { hold in
        let waiting = state.sorted {
          $0.origin == hold.origin && $0.job.state == .queued && isMember($0) && !state.passes($0)
        }
        return waiting.first.map { HeldJobs(hold: hold, count: waiting.count, first: $0.job.id) }
      }
    }
  }

  private func holds(now: Double, _ state: MemoryState) -> [OriginHold] {
    state.holds.values.filter { $0.isInForce(at: now) }.sorted { ($0.until, $0.origin) < ($1.until, $1.origin) }
  }

  package func interruptHeld(scope: ClaimScope, now: Double) throws(Failure) -> [Job] {
    let isMember = member(of: scope)
    return try change { state in
      state.sorted { $0.job.state == .queued && isMember($0) }.compactMap { row in
        guard let hold = state.hold(on: row, now), row.job.specification.startAt ?? 0 < hold.until,
          hold.until - now > row.job.specification.options.maxRetryWait
        else { return nil }
        state.edit(row.job.id) { row in
          row.job.endWait(for: hold, now: now)
          row.waitingSince = now
        }
        return state.rows[row.job.id]?.shown
      }
    }
  }

  package func hold(_ hold: OriginHold) throws(Failure) {
    try change { state in
      state.endHolds { $0.until <= hold.since || $0.since > hold.since }
      guard let old = state.holds[hold.origin] else {
        state.holds[hold.origin] = hold
        return
      }
      let mayShorten = hold.job.flatMap { state.rows[$0]?.pass?.since } == old.since
      if hold.until > old.until || mayShorten { state.holds[hold.origin] = hold }
    }
  }
}

extension MemoryState {
  /// Ends a job's wait for a retry.
  mutating func askAgain(_ id: JobID) {
    guard rows[id]?.job.notBefore != nil else { return }
    rows[id]?.job.notBefore = nil
    if rows[id]?.job.specification.startAt == nil { rows[id]?.waitingSince = nil }
  }

  /// Queues the jobs that failed because of retried jobs, and fails jobs that wait for another failed job.
  mutating func queueDependents(of again: [JobID]) {
    var queued = again
    for id in again {
      for other in rows[id]?.prerequisites ?? [] where rows[other] == nil { rows[id]?.prerequisites.remove(other) }
      for dependent in failedDependents(of: id) {
        // Another job may have taken its target.
        guard (try? nameAgain(dependent)) != nil else { continue }
        rows[dependent]?.job.state = .queued
        rows[dependent]?.startOver()
        queued.append(dependent)
      }
    }
    let failed = queued.flatMap { rows[$0]?.prerequisites ?? [] }.filter { rows[$0]?.job.state == .failed }
    failDependents(of: Set(failed).sorted())
  }

  private static let waiting: Set<JobState> = [.queued, .interrupted, .paused]

  /// Returns a place next to another job if that job still waits; otherwise the first place.
  func place(_ place: QueuePlace) -> QueuePlace {
    switch place {
    case .first, .last: place
    case .before(let other), .after(let other):
      rows[other].map { MemoryState.waiting.contains($0.job.state) } ?? false ? place : .first
    }
  }

  private func checkWaits(_ id: JobID) throws(Failure) {
    guard let state = rows[id]?.job.state else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows all")
    }
    guard MemoryState.waiting.contains(state) else {
      throw Failure(.usage, "job \(id)", "it is \(state.rawValue)", advice: "only waiting jobs can be moved")
    }
  }

  mutating func move(_ ids: [JobID], to place: QueuePlace) throws(Failure) {
    guard !ids.isEmpty else { return }
    for id in ids { try checkWaits(id) }
    let line = rows.values.filter { MemoryState.waiting.contains($0.job.state) && !ids.contains($0.job.id) }
      .sorted { $0.isBefore($1) }
    var (index, isBehind) = (line.count, true)
    switch place {
    case .first: (index, isBehind) = (0, false)
    case .last: break
    case .before(let other), .after(let other):
      try checkWaits(other)
      guard let found = line.firstIndex(where: { $0.job.id == other }) else {
        throw Failure(.usage, "job \(other)", "it cannot be moved before or after itself", advice: "name another job")
      }
      isBehind = place == .after(other)
      index = isBehind ? found + 1 : found
    }
    let neighbour = line.isEmpty ? nil : line[isBehind || index == line.count ? index - 1 : index]
    let priority = neighbour?.job.specification.priority
    // Rank all jobs of this priority again, so that there is always room.
    let moved = ids.compactMap { rows[$0] }
    let all = priority == nil ? moved : Array(line[..<index]) + moved + Array(line[index...])
    let peers = all.filter { row in ids.contains(row.job.id) || row.job.specification.priority == priority }
    for (row, rank) in zip(peers, QueueRank.rerank(count: peers.count, next: Double(lastJob + 1))) {
      rows[row.job.id]?.rank = rank
    }
    if let priority { for id in ids { rows[id]?.job.specification.priority = priority } }
  }
}
