// Ends attempts without the complete file: attempts that were cancelled, that will be retried, or that are given up.
// Only this file carries out the decisions of `AttemptEnding`.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Reads the pending commands: a command that came since the last beat would otherwise be lost with the attempt.
  /// - Parameter failure: The failure of the attempt, if it failed.
  func pollCommands(after failure: Failure?) async throws(Failure) -> Action {
    if let failure, signal.isSuspended || signal.ridesOut && failure.isStoreAway { throw failure }
    try await registry.claimer?.pollCommands()
    return state.commandsPolled()
  }

  /// Ends an attempt whose job now has another owner, or none. Nothing is recorded or counted, because another attempt
  /// decides the job's outcome.
  func endLost(_ failure: Failure) async throws(Failure) {
    transfer?.endCheckpoints()
    await checkpointer.forgetCounts(of: job.id)
    // If another attempt has ended the job, nobody else removes a part on a disk of this machine (P5). If the job
    // continues, the part may belong to its new attempt.
    if try await store.job(job.id)?.state.isFinished ?? true { await removePart() }
    emit(.interrupted(failure))
    leave()
  }

  /// Queues the job again, because the command for which the attempt was ended was withdrawn.
  func withdrawCommand() async throws(Failure) {
    _ = try await move(AttemptEnding(.commandWithdrawn, facts(nil)), nil)
    leave()
  }

  /// Ends the attempt as `AttemptEnding` decides.
  func end(_ end: AttemptEnd, _ outcome: TransferOutcome?) async throws(Failure) -> Action {
    var facts = facts(outcome)
    if case .failed(let failure) = end, failure.retryAfter ?? 0 > 0 { facts.waitIsFree = registry.mustWait(self) }
    if AttemptEnding.keepsBytes(end, facts) {
      facts.progress.kept = try await keepBytes()
      if facts.progress.kept == 0, let response = outcome?.response { try await keepAnswer(response) }
    }
    if case .failed(let failure) = end {
      return try await apply(AttemptEnding(try await renewed(after: failure, facts), facts), outcome)
    }
    return try await apply(AttemptEnding(end, facts), outcome)
  }

  private func facts(_ outcome: TransferOutcome?) -> AttemptFacts {
    let options = job.specification.options
    let sending: AttemptFacts.Sending =
      if let outcome { outcome.wasSent ? .yes : .no } else { transfer?.wasSent ?? false ? .yes : .unknown }
    return AttemptFacts(
      job: tools.isTemporary ? nil : job.id, request: job.specification.request, sending: sending,
      progress: AttemptFacts.Progress(
        kept: job.checkpoint.segments.count, reached: outcome?.reached ?? 0, continued: outcome?.resumedFrom ?? 0),
      retry: job.retry, policy: RetryPolicy(options, failsFast: tools.failsFast),
      mirrors: registry.mirrors[job.id] ?? MirrorChoice(options), jitter: Double.random(in: 0..<1))
  }

  /// Carries out a decision in the order of its parts.
  private func apply(_ ending: AttemptEnding, _ outcome: TransferOutcome?) async throws(Failure) -> Action {
    if let turn = ending.mirrors { registry.mirrors[job.id] = turn }
    switch ending.bytes {
    case .untouched: break
    case .removed, .removedDurably:
      transfer?.endCheckpoints()
      await checkpointer.forgetCounts(of: job.id)
      await removePart()
      if ending.bytes == .removedDurably {
        _ = await disk.attemptRun { [destinations, job] () throws(Failure) in
          Recovery.removeParts(of: [job], destinations.all)
        }
      }
    case .startedOver(let reason):
      try await checkpointer.forget(
        job.id, of: transfer, hasSeeds: job.specification.options.seeding != nil, note: JobNote.startedOver(reason))
      job.specification.options.seeding?.startOver()
      await removePart()
      emit(.restarted(reason))
    }
    let isDone = try await move(ending, outcome?.lastURL.origin)
    guard isDone || ending.pending == .drop else { return state.commandCameFirst() }
    if ending.removesBody { removeBody() }
    // Read the jobs that depend on this one before this job leaves the run: a run without jobs ends at once, and
    // reports nothing more.
    let dependents = ending.failsDependents ? try await store.failedDependents(of: job.id) : []
    switch ending.report {
    case nil: leave()
    case .retrying(let failure, let delay)?:
      emit(.retrying(failure, delay: delay))
      registry.ledger.meter.ended(job, .retrying(failure, delay: delay))
      leave()
    case .waiting(let opening, let queue, let share)?:
      emit(.waiting(until: opening, queue: queue, share: share))
      leave()
    case .interrupted(let failure)?: leave(reporting: .interrupted(failure))
    case .paused?: leave(reporting: .paused)
    case .removed?: leave(reporting: .removed)
    case .failed(let failure)?: leave(reporting: .failed(failure))
    case .skipped(let path)?: leave(reporting: .skipped(path: path))
    }
    for dependent in dependents where registry.ledger.isOpen(dependent.id) {
      if let failure = dependent.failure { registry.ledger.close(dependent, .failed(failure)) }
    }
    return .wait
  }

  /// Records a decision in the store.
  /// - Returns: Whether this runner owned the job, and no pending command took precedence.
  private func move(_ ending: AttemptEnding, _ answering: Origin?) async throws(Failure) -> Bool {
    let attempt = ending.record.map { record($0.outcome, $0.failure, last: $0.last) }
    return try await worker.run { [store, job, runner, destinations, name = tools.name] () async throws(Failure) in
      let now = WallClock.now()
      if let wait = ending.originWait {
        // All jobs of the URL's origin must wait, and all jobs of the origin that answered.
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
          job.id, runner: runner,
          JobStop(
            state, failure?.of(runner: name), retry: retry, notBefore: wait.map { now + Double($0) },
            mayBeRepeated: mayBeRepeated),
          now: now, attempt: attempt, pending: ending.pending)
      case .requeue(let delay, let failure, let retry):
        return try await store.requeue(
          job.id, runner: runner,
          JobRequeue(notBefore: delay.map { now + $0 }, retry: retry, failure: failure?.of(runner: name)), now: now,
          attempt: attempt, pending: ending.pending)
      case .giveBack:
        return try await store.giveBack([job.id], runner: runner).isEmpty
      case .renew:
        return try await store.retryOwned(job.id, runner: runner)
      case .remove(let isMet):
        return try await store.removeOwned(job.id, runner: runner, isMet: isMet)
      case .interruptPublishing(let failure):
        guard let attempt else { return false }
        if try await store.interruptPublishing(
          job.id, runner: runner, failure: failure.of(runner: name), attempt: attempt)
        {
          return true
        }
        // The pending command is carried out in the same way as by recovery after the death of a runner.
        if try await store.commands(runner: runner).contains(where: { $0 == (job.id, .remove) }) {
          Recovery.removeParts(of: [job], destinations.all)
        }
        _ = try await store.applyCommand(job.id, runner: runner)
        return true
      }
    }
  }

  /// Returns the record of an attempt that ends now.
  func record(_ outcome: String, _ failure: Failure? = nil, last: Int64? = nil) -> AttemptRecord {
    AttemptRecord(
      startedAt: startedAt, endedAt: WallClock.now(), outcome: outcome, message: failure?.description,
      firstByte: job.checkpoint.segments.prefix, lastByte: last, runner: tools.name)
  }

  // MARK: Bytes

  /// Forgets all records of the part file, which was renamed or will be removed.
  func abandonPart() async {
    transfer?.endCheckpoints()
    if let journal = transfer?.endJournal() { worker.start { journal.remove() } }
    transfer = nil
    await checkpointer.forgetCounts(of: job.id)
  }

  /// Removes the part through its open destination: the directory may have been moved, and no file descriptor may be
  /// left for opening it again.
  func removePart() async {
    _ = await disk.attemptRun { [job, destinations, destination] () throws(Failure) in
      for name in job.partFileNames { try? destination?.discardPart(name) }
      Recovery.removePart(of: job, destinations.all)
    }
  }

  /// Removes the body of a request that will not be sent again. The run waits for this task before its last call to the
  /// store.
  func removeBody() {
    guard job.specification.request.body != nil else { return }
    worker.start { [job, home] in BodyFiles.remove(of: job, in: home) }
  }

  /// Brings the bytes of a transfer to the disk.
  /// - Returns: The number of bytes that are kept.
  private func keepBytes() async throws(Failure) -> Int64 {
    guard let transfer else { return job.checkpoint.segments.count }
    await nameBeforeCheckpoint()
    let recorded = try await checkpointer.record([(job.id, transfer)])
    await checkpointer.forgetCounts(of: job.id)
    if let checkpoint = recorded[job.id] { return checkpoint.segments.count }
    // If the answer delivered no bytes, the bytes on disk stay, even if nothing identifies their version.
    guard transfer.hasTouchedPart else { return job.checkpoint.segments.count }
    // Either there are no new bytes, or a sync failed, in which case fewer bytes are kept than were received.
    return try await store.job(job.id)?.checkpoint.segments.count ?? 0
  }

  /// Records an answer that arrived in place of the file, for `dray show`.
  private func keepAnswer(_ response: ResponseRecord) async throws(Failure) {
    _ = try await store.recordResponse(job.id, runner: runner, response, size: nil)
  }
}
