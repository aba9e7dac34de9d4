// What follows when an attempt did not bring the whole file: cancelled by somebody, to be tried again, or given up. The one
// place where the decisions of `AttemptEnding` are carried out.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
extension Attempts {
  // MARK: Why an attempt ends

  /// An attempt was cancelled from outside: what it was cancelled for is done.
  func endCancelled(_ job: Job, _ transfer: Transfer?) async {
    switch running[job.id]?.cancelled ?? .end(.shutdown) {
    case .end(.failed(let failure)):
      running[job.id]?.cancelled = nil
      await fail(job, failure, transfer)
    case .end(let end):
      await self.end(job, end, transfer)
    case .upToDate(let response):
      await checkpointer.forgetCounts(of: job.id)
      await upToDate(job, response)
    case .runFails(let failure):
      // Nothing can be recorded any more; recovery finds the job as it stands.
      signal.fail(failure)
      leave(job.id)
    }
  }

  /// An attempt failed.
  func fail(_ job: Job, _ failure: Failure, _ transfer: Transfer?, _ outcome: TransferOutcome? = nil) async {
    // Whoever has it by now may have made its part file again.
    if failure == .leaseLost(job.id) { return await end(job, .leaseLost(failure)) }
    // A command that came since the last beat would be forgotten with the attempt.
    do throws(Failure) { try await intake?.pollCommands() } catch { return leave(job.id, failingRun: error) }
    if running[job.id]?.cancelled != nil { return await endCancelled(job, transfer) }
    await end(job, .failed(failure), transfer, outcome)
  }

  /// A command came, or was withdrawn, in the very moment in which an attempt ended: that comes first.
  private func endForCommand(_ job: Job, _ transfer: Transfer?) async throws(Failure) {
    running[job.id]?.cancelled = nil
    try await intake?.pollCommands()
    if running[job.id]?.cancelled != nil { return await endCancelled(job, transfer) }
    // It goes on, unless it is not held here by now.
    let ending = AttemptEnding(.commandWithdrawn, facts(job, transfer, nil))
    _ = try await move(job, ending, nil)
    leave(job.id)
  }

  // MARK: Deciding, and carrying it out

  /// Ends an attempt: `AttemptEnding` decides what follows, and that is done.
  func end(_ job: Job, _ end: AttemptEnd, _ transfer: Transfer? = nil, _ outcome: TransferOutcome? = nil) async {
    do throws(Failure) {
      var facts = facts(job, transfer, outcome)
      if AttemptEnding.keepsBytes(end, facts) {
        facts.kept = try await keepBytes(job, transfer)
        if facts.kept == 0, let response = outcome?.response { try await keepAnswer(job, response) }
      }
      try await carryOut(AttemptEnding(end, facts), job, transfer, outcome)
    } catch {
      leave(job.id, failingRun: error)
    }
  }

  /// What is known of an attempt that ends.
  private func facts(_ job: Job, _ transfer: Transfer?, _ outcome: TransferOutcome?) -> AttemptFacts {
    let options = job.specification.options
    let sending: AttemptFacts.Sending =
      if let outcome { outcome.wasSent ? .yes : .no } else { transfer?.wasSent ?? false ? .yes : .unknown }
    return AttemptFacts(
      job: job.id, request: job.specification.request, sending: sending, kept: job.checkpoint.segments.count,
      reached: outcome?.reached ?? 0, continued: outcome?.resumedFrom ?? 0, retry: job.retry,
      policy: RetryPolicy(options, failsFast: tools.failsFast),
      mirrors: mirrors[job.id] ?? MirrorChoice(options),
      jitter: Double.random(in: 0..<1))
  }

  /// Carries a decision out, in the order of its parts.
  private func carryOut(
    _ ending: AttemptEnding, _ job: Job, _ transfer: Transfer?, _ outcome: TransferOutcome?
  ) async throws(Failure) {
    if let turn = ending.mirrors { mirrors[job.id] = turn }
    switch ending.bytes {
    case .untouched: break
    case .removed, .removedDurably:
      transfer?.forgetClaims()
      await checkpointer.forgetCounts(of: job.id)
      await removePart(of: job)
      if ending.bytes == .removedDurably {
        _ = await disk.attemptRun { [destinations] () throws(Failure) in
          Recovery.removeParts(of: [job], destinations.all)
        }
      }
    case .startedOver(let reason):
      try await checkpointer.forget(job.id, of: running[job.id]?.transfer, note: JobNote.startedOver(reason))
      await removePart(of: job)
      emit(job.id, .restarted(reason))
    }
    let isDone = try await move(job, ending, outcome?.lastURL.origin)
    guard isDone || ending.pending == .drop else { return try await endForCommand(job, transfer) }
    if ending.removesBody { removeBody(of: job) }
    // Before the job leaves: a run without jobs ends at once, and reports nothing after that.
    let dependents = ending.failsDependents ? try await store.failedDependents(of: job.id) : []
    switch ending.report {
    case nil: leave(job.id)
    case .retrying(let failure, let delay)?:
      emit(job.id, .retrying(failure, delay: delay))
      leave(job.id)
    case .interrupted(let failure)?: leave(job, reporting: .interrupted(failure))
    case .paused?: leave(job, reporting: .paused)
    case .removed?: leave(job, reporting: .removed)
    case .failed(let failure)?: leave(job, reporting: .failed(failure))
    case .skipped(let path)?: leave(job, reporting: .skipped(path: path))
    }
    for dependent in dependents where ledger.isOpen(dependent.id) {
      if let failure = dependent.failure { leave(dependent, reporting: .failed(failure)) }
    }
  }

  /// Does what a decision wants of the store.
  /// - Returns: whether the job was held here, and a pending command let it be done.
  private func move(_ job: Job, _ ending: AttemptEnding, _ answering: Origin?) async throws(Failure) -> Bool {
    let attempt = ending.record.map { record($0.outcome, job, $0.failure, last: $0.last) }
    return try await worker.run { [store, id, destinations] () async throws(Failure) in
      let now = WallClock.now()
      if let wait = ending.originWait {
        // The server spoke for all of its jobs: for those of the URL's origin, and of the one that answered.
        for held in Set([job.specification.request.url.origin, answering].compactMap(\.self)) {
          try await store.hold(
            OriginHold(
              held, until: now + Double(wait), since: now, job: job.id,
              askedBy: ending.record?.failure?.waitAskedBy ?? ending.record?.failure?.subject,
              status: ending.record?.failure?.httpStatus))
        }
      }
      switch ending.move {
      case .none:
        return true
      case .end(let state, let failure, let retry, let wait, let mayBeRepeated):
        return try await store.endAttempt(
          job.id, runner: id, state: state, failure: failure, retry: retry, note: nil,
          notBefore: wait.map { now + Double($0) },
          mayBeRepeated: mayBeRepeated, now: now, attempt: attempt, pending: ending.pending)
      case .requeue(let delay, let failure, let retry):
        return try await store.requeue(
          job.id, runner: id, notBefore: delay.map { now + $0 }, now: now, retry: retry, failure: failure,
          attempt: attempt, pending: ending.pending)
      case .renew:
        return try await store.retryHeld(job.id, runner: id)
      case .remove(let isMet):
        return try await store.removeHeld(job.id, runner: id, isMet: isMet)
      case .interruptPublishing(let failure):
        guard let attempt else { return false }
        if try await store.interruptPublishing(job.id, runner: id, failure: failure, attempt: attempt) { return true }
        // It has a pending command: that is carried out, as if this runner had died here.
        if try await store.commands(runner: id).contains(where: { $0 == (job.id, .remove) }) {
          Recovery.removeParts(of: [job], destinations.all)
        }
        _ = try await store.applyCommand(job.id, runner: id)
        return true
      }
    }
  }

  /// The record of an attempt that ends now.
  func record(_ outcome: String, _ job: Job, _ failure: Failure? = nil, last: Int64? = nil) -> Attempt {
    let now = WallClock.now()
    return Attempt(
      startedAt: running[job.id]?.startedAt ?? now, endedAt: now, outcome: outcome, message: failure?.description,
      firstByte: job.checkpoint.segments.count, lastByte: last)
  }

  // MARK: Bytes

  /// Removes the part of a job, by way of the destination that its attempt holds: that may be elsewhere by now, or there may be
  /// no descriptor to open it once more.
  func removePart(of job: Job) async {
    _ = await disk.attemptRun { [destinations, held = running[job.id]?.destination] () throws(Failure) in
      try? held?.discardPart(job.partFileName)
      Recovery.removePart(of: job, destinations.all)
    }
  }

  /// Removes the body of a request that is not sent again. The run waits for this before its last call to the store.
  func removeBody(of job: Job) {
    guard job.specification.request.body != nil else { return }
    worker.start { [home] in BodyFiles.remove(of: job, in: home) }
  }

  /// Makes durable what a transfer has.
  /// - Returns: bytes that are kept of the job.
  private func keepBytes(_ job: Job, _ transfer: Transfer?) async throws(Failure) -> Int64 {
    guard let transfer else { return job.checkpoint.segments.count }
    await nameBeforeClaim(job.id)
    let recorded = try await checkpointer.record([(job.id, transfer)])
    await checkpointer.forgetCounts(of: job.id)
    if let checkpoint = recorded[job.id] { return checkpoint.segments.count }
    // An answer that brought nothing takes nothing away, not even bytes that nothing identifies.
    guard transfer.hasTouchedPart else { return job.checkpoint.segments.count }
    // Nothing is new, or it could not be synced: then less is kept than came.
    return try await store.job(job.id)?.checkpoint.segments.count ?? 0
  }

  /// Records what a server says instead of the file: it is worth a look with `dray show`.
  private func keepAnswer(_ job: Job, _ response: ResponseRecord) async throws(Failure) {
    _ = try await store.recordResponse(job.id, runner: id, response, size: nil)
  }
}
