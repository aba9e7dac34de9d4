// One attempt at one job: plan, transfer, check, publish, or decide what follows a failure.

internal import DrayEngine
internal import DrayStore
internal import Glibc
internal import Threads

@RunActor
extension Attempts {
  /// Files up to this length are named when they are published, not when their answer comes.
  private nonisolated static let smallFile: Int64 = 256 << 10

  /// Does all of an attempt; at its end the job has left `running` and the slot is free.
  /// - Parameter known: what it is to do, where that was checked already.
  func attempt(_ claimed: Job, _ known: Result<AttemptPlan, Failure>? = nil) async {
    var job = claimed.placed(at: mirrors[claimed.id])
    var looked =
      if let known { known } else {
        await disk.attemptRun { [job, cookies, destinations] () async throws(Failure) in
          try await AttemptPlan.make(job, cookies, destinations)
        }
      }
    if case .success(.transfer(let made)) = looked, job.specification.options.adopts != nil {
      do throws(Failure) { looked = .success(try await adopting(made, of: &job)) } catch { looked = .failure(error) }
    }
    if case .success(.transfer(let made)) = looked {
      do throws(Failure) { looked = .success(try await checked(made, of: job)) } catch { looked = .failure(error) }
    }
    let plan: TransferPlan
    switch looked {
    case .success(.transfer(let made)): plan = made
    case .success(.cancelled): return await endCancelled(job, nil)
    case .success(.skip(let path)): return await end(job, .skipped(path: path))
    case .failure(let failure): return await fail(job, failure, nil)
    }
    guard var limited = Optional(plan), running[job.id]?.cancelled == nil else {
      return await endCancelled(job, nil)
    }
    limited.limiters = limiters(for: job)
    limited.limitPerOrigin(tools.maxPerOrigin)
    running[job.id]?.destination = plan.destination
    running[job.id]?.search = DigestSearchTask(job.specification, engine)
    if let body = limited.request.body {
      let located = await disk.attemptRun { [home] () throws(Failure) in BodyFiles.located(body, in: home) }
      limited.request.body = (try? located.get()) ?? body
    }
    if limited.isWhole, let part = limited.part, let size = limited.checkpoint.size {
      return await check(
        job, part, size: size, response: job.response, offered: limited.checkpoint.offered, resumed: true,
        note: job.note)
    }
    guard await mayBegin(job) else { return }
    let transfer = engine.start(limited, observer: watcher(job))
    running[job.id]?.transfer = transfer
    if running[job.id]?.cancelled != nil { transfer.cancel() }

    let clock = startClock(job)
    let outcome = await transfer.outcome()
    clock?.cancel()
    await transferEnded(job, transfer, outcome)
  }

  /// Ends the attempt at a job that may take so long only, when that time is over.
  private func startClock(_ job: Job) -> Task<Void, Never>? {
    guard let limit = job.specification.options.maxTime.map(TimeLimit.init), let one = running[job.id] else {
      return nil
    }
    return Task { [self] in
      // Cancelled with the end of the transfer.
      do { try await Task.sleep(for: .seconds(limit.seconds)) } catch { return }
      guard running[job.id] === one else { return }
      cancel(job.id, .end(.failed(limit.failure(job.specification.request.url.description))))
    }
  }

  /// The transfer of a job has ended that needs nothing else: what is whole is published, all else goes the way of all others.
  func directTransferEnded(_ reserved: ReservedJob, _ outcome: TransferOutcome, _ isHandedOn: Bool) {
    let job = reserved.job
    guard let one = running[job.id] else { return }
    one.hasSlot = !isHandedOn
    let hasCommand = if case .end(.command)? = one.cancelled { true } else { false }
    if isHandedOn, !hasCommand, case .whole(let part, let size, let proof) = outcome.end {
      publish(
        job, part, size: size,
        PublishFacts(
          response: outcome.response ?? job.response, note: note(outcome, proof, cookies: nil),
          attempt: record("complete", job, last: size)))
    } else {
      Task { await self.transferEnded(job, one.transfer, outcome) }
    }
  }

  /// What follows the end of a transfer.
  func transferEnded(_ job: Job, _ transfer: Transfer?, _ outcome: TransferOutcome) async {
    await keepCookies(outcome, job)
    switch outcome.end {
    case .whole(let part, let size, let proof):
      await check(
        job, part, size: size, response: outcome.response ?? job.response, offered: outcome.offered,
        resumed: outcome.resumedFrom > 0 || outcome.isMixed,
        note: note(outcome, proof, cookies: running[job.id]?.cookieFailure))
    case .answered:
      await finishWithoutFile(job, outcome.response)
    case .upToDate:
      await upToDate(job, outcome.response)
    case .cancelled:
      await endCancelled(job, transfer)
    case .failed(let failure):
      slots.failed(job.id, ReservedJob.origin(of: job), failure)
      await fail(job, failure, transfer, outcome)
    }
  }

  /// Keeps the cookies that came. What cannot be kept is not a reason to give up a file.
  private func keepCookies(_ outcome: TransferOutcome, _ job: Job) async {
    guard let report = outcome.cookies else { return }
    let isOver = if case .whole = outcome.end { true } else { false }
    let kept = await disk.attemptRun { [cookies, id] () async throws(Failure) in
      try await cookies.keep(report, of: job.specification.request, job: job.id, holder: id, isOver: isOver)
    }
    if case .failure(let failure) = kept { running[job.id]?.cookieFailure = failure }
  }

  func limiters(for job: Job) -> [RateLimiter] {
    [running[job.id]?.limiter, overallLimit].compactMap(\.self)
  }

  nonisolated func watcher(_ job: Job) -> TransferWatcher {
    TransferWatcher(
      id: job.id,
      emit: { [self, id = job.id] in emit(id, $0) },
      answered: { [self, origin = ReservedJob.origin(of: job)] response, size in
        slots.answered(job.id, origin, size: size, version: response.head.version)
        // Which server bytes are of must be known where several have them.
        let isPlain = (job.specification.options.mirrors ?? []).isEmpty
        if size ?? .max > Attempts.smallFile || !isPlain { Task { await self.answered(job, response, size: size) } }
      },
      checkpointer: checkpointer)
  }

  /// What is worth knowing of a transfer that went well.
  func note(_ outcome: TransferOutcome, _ length: LengthProof, cookies failure: Failure?) -> String? {
    let notes = failure.map { ["its cookies were not kept: \($0)"] } ?? []
    return JobNote.joined(notes + outcome.notes(length), startedOver: outcome.startedOver)
  }

  /// The head of the answer is here: the name is fixed, and what is in its way is noticed before the bytes have come.
  func answered(_ job: Job, _ response: ResponseRecord, size: Int64?) async {
    guard let one = running[job.id] else { return }
    one.answered = true
    let fixed = await worker.attemptRun { [store, id, destinations] () async throws(Failure) in
      _ = try await store.recordResponse(job.id, runner: id, response, size: size)
      return try await TargetFixing.fix(job, response, size: size, store: store, runner: id, destinations)
    }
    // Meanwhile the attempt may have ended, and another have begun that this says nothing about.
    guard running[job.id] === one else { return }
    switch fixed {
    case .success((let name, let conflict)):
      one.chosenName = name
      one.fixedName = name
      switch conflict {
      case .none, .replaces: break
      case .skip: cancel(job.id, .end(.skipped(path: PathText.join(job.specification.directory, name))))
      case .refuse(let failure): cancel(job.id, .end(.refused(failure)))
      case .upToDate: cancel(job.id, .upToDate(response))
      }
    case .failure(.leaseLost(job.id)): cancel(job.id, .end(.leaseLost(.leaseLost(job.id))))
    case .failure(let failure) where failure.kind == .store: cancel(job.id, .runFails(failure))
    // Refused is what is in the way of another; a directory that cannot be looked into now may be later.
    case .failure(let failure): cancel(job.id, .end(failure.recovery == .final ? .refused(failure) : .failed(failure)))
    }
  }

  /// Fixes the name of a small file before bytes are claimed of it: an attempt that continues with them may not ask the server again.
  func nameBeforeClaim(_ id: JobID) async {
    guard let one = running[id], one.job.fileName == nil, one.fixedName == nil, let transfer = one.transfer,
      transfer.received > 0, let answer = transfer.answer
    else { return }
    await answered(one.job, answer, size: transfer.size)
  }

  // MARK: All bytes are here

  /// Publishes a file that has been checked; its slot is free from here on.
  func publish(
    _ job: Job, _ part: any PartStorage, size: Int64, _ facts: PublishFacts
  ) {
    guard let one = vacate(job.id, isComplete: true) else { return }
    one.phase = .publishing
    let fixed = job.fileName ?? one.fixedName
    // A name that the server may suggest is fixed with the intent: asking the store earlier would cost a small file more
    // than all else.
    let name =
      fixed ?? facts.response.map { TargetName.choose($0, ownName: job.ownName) } ?? TargetName.provisional(job)
    one.chosenName = name
    let leftOver = job.specification.options.adopts?.leftOver(target: PathText.join(job.specification.directory, name))
    var facts = facts
    if let leftOver { facts.note = JobNote.adding(leftOver, to: facts.note) }
    // It gave back its slot, or its place among the files that wait to be published: now it has such a place.
    slots.countPublishing(1)
    publishing[job.id] = one
    intake?.slotIsFree()
    let item = PublishItem(
      job: job,
      publication: Publication(
        part: part, size: size, modified: Attempts.time(of: job, facts.response ?? job.response)),
      fileName: name, isNamed: fixed != nil || facts.response == nil, facts: facts,
      sums: part.destination.volume.keepsIdentities ? one.transfer?.sums.ifWorthKeeping : one.transfer?.sums)
    publisher.publish(item) { [self] results in Task { await self.published(results) } }
  }

  /// Receives what became of files that were published together.
  private func published(_ results: [Published]) async {
    await checkpointer.forgetCounts(of: results.map(\.item.job.id))
    for one in results {
      let (job, size) = (one.item.job, one.item.publication.size)
      switch one.result {
      case .published(let path):
        leave(
          job, reporting: .complete(path: path, size: size, digest: one.item.facts.digest, note: one.note), bytes: size)
      case .skipped(let path):
        await end(job, .skipped(path: path))
      case .unfinished(let failure):
        await end(job, .publishingCutOff(failure))
      case .failed(let failure) where failure.kind == .store:
        leave(job.id, failingRun: failure)
      case .failed(let failure):
        runAgain(job.id)
        await fail(job, failure, running[job.id]?.transfer)
      case .refused(let failure):
        runAgain(job.id)
        await mismatch(job, failure, isPage: true)
      }
    }
  }

  /// Has a job that could not be published among those that run: its pending command is carried out.
  private func runAgain(_ id: JobID) {
    guard let one = publishing.removeValue(forKey: id) else { return }
    one.hasSlot = false
    running[id] = one
  }

  /// The time that the target gets, in seconds since 1970; `nil` is that of its arrival.
  private static func time(of job: Job, _ response: ResponseRecord?) -> Int64? {
    guard !(job.specification.options.keepsArrivalTime ?? false), let response else { return nil }
    return ArrivalTime.lastModified(response.head, now: Int64(WallClock.now()))
  }
}

extension TransferOutcome {
  /// What is worth knowing of what came.
  func notes(_ length: LengthProof) -> [String] {
    (length == .unverified ? ["length unverified: the server gave none"] : []) + (response?.head.codingNotes ?? [])
  }
}

extension JobOptions {
  /// Compares a length with the one that was given.
  /// - Throws: kind `integrity` where it is another one.
  func checkSize(_ size: Int64, _ subject: String) throws(Failure) {
    guard let expected = expectedSize, expected != size else { return }
    throw Failure(
      .integrity, subject, "\(size) bytes came, expected \(expected)",
      advice: "check the given size")
  }
}
