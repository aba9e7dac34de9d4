// What follows when an attempt did not bring the whole file: stopped by somebody, to be tried again, or given up.

internal import DrayEngine
internal import Foundation

extension Runner {
  /// A transfer that was stopped from outside: what it has is made durable, and the wish is carried out.
  func stopped(_ job: Job, _ transfer: Transfer?) async {
    let reason = running[job.id]?.stop ?? .shutdown
    do throws(Failure) {
      switch reason {
      case .shutdown:
        if let transfer, transfer.wasSent, !job.specification.request.isSafe {
          return try await leaveUnanswered(job, notRepeated(job, "it was stopped before its answer arrived"))
        }
        let kept = try await keep(job, transfer)
        guard try await stop(job, .interrupted, nil, job.retry.reaching(kept), nil, wish: .comesFirst) else {
          return await overtaken(job, transfer)
        }
        ended(job, .interrupted(nil))
      case .command(.pause):
        let kept = try await keep(job, transfer)
        guard
          try await stop(job, .paused, nil, job.retry.reaching(kept), nil, wish: .isCarriedOut(.pause))
        else { return await overtaken(job, transfer) }
        ended(job, .paused)
      case .command(.remove):
        await removePartForGood(of: job)
        _ = try await store.removeHeld(job.id, runner: id, isMet: false)
        BodyFiles.remove(of: job, in: home)
        ended(job, .removed)
        try await endDependents(of: job.id)
      case .command(.retry):
        transfer?.forgetClaims()
        await checkpointer.ended(job.id)
        // In this order: once it is queued, another runner may have made its own part file.
        removePart(of: job)
        guard try await store.retryHeld(job.id, runner: id) else {
          return await overtaken(job, transfer)
        }
        leave(job.id)
      case .command(.restart):
        let kept = try await keep(job, transfer)
        let attempt = ending(job, "restarted", nil, last: kept)
        guard try await queueAgain(job, RetryRecord(), nil, attempt, wish: .isCarriedOut(.restart)) else {
          return await overtaken(job, transfer)
        }
        leave(job.id)
      case .refuse(let failure):
        removePart(of: job)
        guard try await stop(job, .failed, failure, job.retry, nil, wish: .comesFirst) else {
          return await overtaken(job, transfer)
        }
        ended(job, .failed(failure))
        try await endDependents(of: job.id)
      case .fails(let failure):
        running[job.id]?.stop = nil
        return await settle(job, failure, transfer, nil)
      case .skip(let path):
        await removePartForGood(of: job)
        _ = try await store.removeHeld(job.id, runner: id, isMet: true)
        BodyFiles.remove(of: job, in: home)
        ended(job, .skipped(path: path))
      case .upToDate(let response):
        await checkpointer.ended(job.id)
        await upToDate(job, response)
      case .taken:
        ended(job, .interrupted(.leaseLost(job.id)))
      case .lost(let failure):
        // Nothing can be recorded any more; recovery finds the job as it stands.
        giveUp(failure)
        leave(job.id)
      }
    } catch {
      giveUp(error)
      leave(job.id)
    }
  }

  /// Removes the part file of a job that is to be forgotten.
  private func removePartForGood(of job: Job) async {
    removePart(of: job)
    _ = await disk.attemptRun { () throws(Failure) in Recovery.removeParts(of: [job]) }
  }

  /// Removes the part file of a job, by way of the directory that its attempt holds: that may be elsewhere by now, or there may be
  /// no descriptor to open it once more.
  func removePart(of job: Job) {
    if let held = running[job.id]?.directory { try? held.remove(job.partFileName) }
    Recovery.removePart(of: job)
  }

  /// A failure: the policy decides, its decision is carried out.
  func settle(_ job: Job, _ failure: Failure, _ transfer: Transfer?, _ outcome: TransferOutcome?) async {
    do throws(Failure) {
      // Whoever has it by now may have made its part file again.
      if failure == .leaseLost(job.id) { return ended(job, .interrupted(failure)) }
      // A wish that came since the last beat would be forgotten with the attempt.
      try await obey()
      if running[job.id]?.stop != nil { return await stopped(job, transfer) }
      if let told = unanswered(job, failure, transfer, outcome) { return try await leaveUnanswered(job, told) }
      let kept = try await keep(job, transfer)
      if kept == 0, let response = outcome?.response {
        // What a server says instead of the file is worth a look with `dray show`.
        _ = try await store.recordResponse(job.id, runner: id, response, size: nil)
      }
      guard let failure = turn(job, failure.naming(job.id), reached: outcome?.reached ?? 0) else {
        return try await askElsewhere(job, failure, kept: kept, transfer)
      }
      var retry = job.retry
      let decision = RetryPolicy(job.specification.options).decide(
        failure, record: &retry, kept: kept, reached: outcome?.reached ?? 0,
        isSafe: job.specification.request.isSafe || !(outcome?.wasSent ?? true), jitter: Double.random(in: 0..<1))
      switch decision.naming(job.id) {
      case .retry(let delay):
        guard try await retryLater(job, failure, delay, retry, origin: outcome?.lastURL.origin, kept: kept) else {
          return await overtaken(job, transfer)
        }
        emit(job.id, .retrying(failure, delay: delay))
        leave(job.id)
      case .stop(.failed, let told):
        await checkpointer.ended(job.id)
        removePart(of: job)
        let mayBeAsked = running[job.id] != nil
        guard try await stop(job, .failed, told, retry, nil, wish: mayBeAsked ? .comesFirst : .isPutAside) else {
          return await overtaken(job, transfer)
        }
        ended(job, .failed(told))
        try await endDependents(of: job.id)
      case .stop(_, let told):
        let until = told.retryAfter.map { WallClock.now() + Double($0) }
        let mayBeAsked = running[job.id] != nil
        guard try await stop(job, .interrupted, told, retry, until, wish: mayBeAsked ? .comesFirst : .isPutAside) else {
          return await overtaken(job, transfer)
        }
        ended(job, .interrupted(told))
      }
    } catch {
      giveUp(error)
      leave(job.id)
    }
  }

  /// A wish came, or was taken back, in the very moment in which an attempt ended: that comes first.
  func overtaken(_ job: Job, _ transfer: Transfer?) async {
    running[job.id]?.stop = nil
    do throws(Failure) {
      try await obey()
      if running[job.id]?.stop != nil { return await stopped(job, transfer) }
      // What was wanted is wanted no more: it continues, unless it is not held here by now.
      _ = try await queueAgain(job, job.retry, nil, nil, wish: .comesFirst)
    } catch {
      giveUp(error)
    }
    leave(job.id)
  }

  /// Puts a job back into the queue, to be begun at once.
  /// - Returns: whether it was held here, and the wish let it be done.
  func queueAgain(
    _ job: Job, _ retry: RetryRecord, _ failure: Failure?, _ attempt: Attempt?, wish: WishRule
  ) async throws(Failure) -> Bool {
    try await store.requeue(
      job.id, runner: id, notBefore: nil, now: WallClock.now(), retry: retry, failure: failure, attempt: attempt,
      wish: wish)
  }

  /// Tells of the jobs that failed because one that they wait for did.
  private func endDependents(of id: JobID) async throws(Failure) {
    let jobs = try await store.failedDependents(of: id)
    for job in jobs where scopeIDs?.contains(job.id) ?? true {
      if let failure = job.failure, !endedHere.contains(job.id) { ended(job, .failed(failure)) }
    }
  }

  /// - Returns: whether it is queued again; a wish that came meanwhile comes first.
  private func retryLater(
    _ job: Job, _ failure: Failure, _ delay: Double, _ retry: RetryRecord, origin: Origin?, kept: Int64
  ) async throws(Failure) -> Bool {
    let attempt = ending(job, "retried", failure, last: kept)
    let mayBeAsked = running[job.id] != nil
    return try await worker.run { [store, id] () async throws(Failure) in
      let now = WallClock.now()
      if let wait = failure.retryAfter, wait > 0 {
        // The server spoke for all of its jobs: for those of the URL's origin, and of the one that answered.
        for held in Set([job.specification.request.url.origin, origin].compactMap(\.self)) {
          try await store.hold(origin: held, until: now + Double(wait), now: now)
        }
      }
      return try await store.requeue(
        job.id, runner: id, notBefore: now + delay, now: now, retry: retry, failure: failure, attempt: attempt,
        wish: mayBeAsked ? .comesFirst : .isPutAside)
    }
  }

  /// Makes durable what a transfer has.
  /// - Returns: bytes that are kept of the job.
  private func keep(_ job: Job, _ transfer: Transfer?) async throws(Failure) -> Int64 {
    guard let transfer else { return job.checkpoint.segments.count }
    await nameBeforeClaim(job.id)
    let recorded = try await checkpointer.record([(job.id, transfer)])
    await checkpointer.ended(job.id)
    if let checkpoint = recorded[job.id] { return checkpoint.segments.count }
    // An answer that brought nothing takes nothing away, not even bytes that nothing identifies.
    guard transfer.hasTouchedPart else { return job.checkpoint.segments.count }
    // Nothing is new, or it could not be synced: then less is kept than came.
    return try await store.job(job.id)?.checkpoint.segments.count ?? 0
  }

  /// - Returns: whether it is stopped; else a wish that came meanwhile comes first.
  @discardableResult
  func stop(
    _ job: Job, _ state: JobState, _ failure: Failure?, _ retry: RetryRecord, _ notBefore: Double?,
    mayBeRepeated: Bool = true, wish: WishRule = .isPutAside
  ) async throws(Failure) -> Bool {
    let attempt = ending(job, state.rawValue, failure, last: retry.furthest)
    return try await store.stop(
      job.id, runner: id, state: state, failure: failure, retry: retry, note: nil, notBefore: notBefore,
      mayBeRepeated: mayBeRepeated, now: WallClock.now(), attempt: attempt, wish: wish)
  }
}

extension RetryRecord {
  /// This record, with a position that was reached.
  func reaching(_ position: Int64) -> RetryRecord {
    RetryRecord(used: used, furthest: max(furthest, position))
  }
}

extension BlockingQueue {
  /// Runs `body` on the queue; its failure is a value.
  func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }

  /// The same for what waits.
  func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }
}
