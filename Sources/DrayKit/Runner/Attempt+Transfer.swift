// An attempt from its plan to the end of its transfer.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Runs the whole attempt. At its end it has left the run, and the slot is free.
  /// - Parameter known: its plan, if the disk was checked already.
  func run(_ known: Result<AttemptPlan, Failure>? = nil) async {
    job = job.placed(at: registry.mirrors[job.id])
    if known == nil, await !isAdmitted() { return }
    let plan: AttemptPlan
    do throws(Failure) { plan = try await prepare(known) } catch { return await fail(error) }
    switch plan {
    case .skip(let path): await end(.skipped(path: path))
    case .cancelled: await endCancelled()
    case .transfer where isCancelled: await endCancelled()
    case .transfer(let plan): await start(plan)
    }
  }

  /// Looks at the share of its directory. A job whose share does not work here is handed back.
  /// - Returns: whether it may begin.
  func isAdmitted() async -> Bool {
    guard let shares else { return true }
    do throws(Failure) {
      try await shares.admit(job.specification.place)
      return true
    } catch {
      await handBack(error)
      return false
    }
  }

  /// Plans the attempt, and performs the steps before its request.
  private func prepare(_ known: Result<AttemptPlan, Failure>?) async throws(Failure) -> AttemptPlan {
    guard try await takeOver() else { return .cancelled }
    var plan: AttemptPlan
    if let known { plan = try known.get() } else { plan = try await look() }
    if case .transfer(let made) = plan, job.specification.options.adopts != nil { plan = try await adopting(made) }
    if case .transfer(let made) = plan { plan = try await checked(made) }
    return plan
  }

  /// Plans the attempt from the state of its destination.
  func look() async throws(Failure) -> AttemptPlan {
    try await disk.run { [job, cookies, destinations] () async throws(Failure) in
      try await AttemptPlan.make(job, cookies, destinations)
    }
  }

  /// Transfers the missing bytes, if any.
  private func start(_ plan: TransferPlan) async {
    var plan = plan
    plan.limiters = limiters
    plan.limitPerOrigin(tools.maxPerOrigin)
    destination = plan.destination
    search = DigestSearchTask(job.specification, engine)
    if let body = plan.request.body {
      let located = await disk.attemptRun { [home] () throws(Failure) in BodyFiles.located(body, in: home) }
      plan.request.body = (try? located.get()) ?? body
    }
    if plan.isWhole, let part = plan.part, let size = plan.checkpoint.size {
      return await check(
        WholeFile(
          part: part, size: size, response: job.response, offered: plan.checkpoint.offered, isResumed: true,
          note: job.note))
    }
    guard await mayBegin() else { return }
    let transfer = engine.start(plan, observer: registry.watcher(job))
    self.transfer = transfer
    if isCancelled { transfer.cancel() }

    let clock = startClock()
    let outcome = await transfer.outcome()
    clock?.cancel()
    await transferEnded(outcome)
  }

  /// The limits on its rate: its own, that of its named queue, and the shared one.
  var limiters: [RateLimiter] {
    let queue = namedQueues.limiter(of: job.specification.queue, at: WallClock.now())
    return [limiter, queue, overallLimit].compactMap(\.self)
  }

  /// Starts the time limit of the attempt, if it has one.
  private func startClock() -> Task<Void, Never>? {
    guard let limit = job.specification.options.maxTime.map(TimeLimit.init) else { return nil }
    return Task {
      // Cancelled at the end of the transfer.
      do { try await Task.sleep(for: .seconds(limit.seconds)) } catch { return }
      guard isRunning else { return }
      cancel(.end(.failed(limit.failure(job.specification.request.url.description))))
    }
  }

  // MARK: Reports of the transfer

  /// Handles the header of the answer: fixes the name, and detects a conflict before the bytes arrive.
  func answered(_ response: ResponseRecord, size: Int64?) async {
    let task = Task { await fixName(response, size: size) }
    naming = task
    await task.value
  }

  private func fixName(_ response: ResponseRecord, size: Int64?) async {
    guard isRunning else { return }
    isAnswered = true
    do throws(Failure) { try await applyRules(response, size: size) } catch { return cancel(for: error) }
    guard isRunning else { return }
    let fixed = await worker.attemptRun { [job, store, runner, destinations, cancelFlag] () async throws(Failure) in
      let isCancelled: @Sendable () -> Bool = { cancelFlag.isSet }
      _ = try await store.recordResponse(job.id, runner: runner, response, size: size)
      let (name, conflict) = try await TargetFixing.fix(
        job, response, size: size, store: store, runner: runner, destinations, isCancelled: isCancelled)
      return (
        name, conflict,
        try await TargetFixing.uploadName(
          name, job, store: store, runner: runner, destinations, isCancelled: isCancelled)
      )
    }
    // The attempt may have ended in between.
    guard isRunning else { return }
    switch fixed {
    case .success((let name, let conflict, let uploadName)):
      (chosenName, fixedName) = (name, name)
      if let uploadName, conflict == .none || conflict == .replaces {
        self.uploadName = uploadName
        transfer?.willBe(uploadName, ObjectDescription(job, response))
      }
      switch conflict {
      case .none, .replaces: break
      case .skip: cancel(.end(.skipped(path: PathText.join(job.specification.directory, name))))
      case .refuse(let failure): cancel(.end(.refused(failure)))
      case .upToDate: cancel(.upToDate(response))
      }
    case .failure(let failure): cancel(for: failure)
    }
  }

  /// Cancels it because the target cannot be named.
  private func cancel(for failure: Failure) {
    switch failure.clashAnswer(job.specification.options.onConflict) {
    case .skip?: return cancel(.end(.skipped(path: failure.subject)))
    case .wait?:
      // A part that is bound to its name cannot begin without it. A file gets its name when it is published, after the other job has ended.
      if job.specification.place.traits.bindsName { cancel(.end(.targetBusy(failure))) }
      chosenName = PathText.name(of: failure.subject)
      return
    case .refuse?, .rename?, nil: break
    }
    if failure == .leaseLost(job.id) {
      cancel(.end(.leaseLost(failure)))
    } else if failure.kind == .store {
      cancel(.runFails(failure))
    } else {
      // A final failure refuses the target. Others may pass, such as an inaccessible directory.
      cancel(.end(failure.recovery == .final ? .refused(failure) : .failed(failure)))
    }
  }

  /// Fixes the name of a small file before its bytes are claimed: the next attempt may not ask the server again.
  func nameBeforeClaim() async {
    guard job.fileName == nil, fixedName == nil, let transfer, transfer.received > 0, let answer = transfer.answer
    else { return }
    await answered(answer, size: transfer.size)
  }

  // MARK: End of the transfer

  /// Handles the end of a direct transfer. A complete file is published; everything else takes the usual way.
  func directTransferEnded(_ outcome: TransferOutcome, _ isHandedOn: Bool) {
    hasSlot = !isHandedOn
    let hasCommand = if case .end(.command)? = cancelled { true } else { false }
    if isHandedOn, !hasCommand, case .whole(let part, let size, let proof) = outcome.end, !part.isAway {
      handOver(
        part, size: size,
        PublishFacts(
          response: outcome.response ?? job.response, note: note(outcome, proof),
          attempt: record("complete", last: size)))
    } else {
      Task { await transferEnded(outcome) }
    }
  }

  /// Handles the end of a transfer.
  private func transferEnded(_ outcome: TransferOutcome) async {
    await keepCookies(outcome)
    switch outcome.end {
    case .whole(let part, let size, let proof):
      await check(
        WholeFile(
          part: part, size: size, response: outcome.response ?? job.response, offered: outcome.offered,
          isResumed: outcome.resumedFrom > 0 || outcome.isMixed, note: note(outcome, proof)))
    case .answered:
      await finishWithoutFile(outcome.response)
    case .upToDate:
      guard await hasOtherLength(outcome.response) else { return await upToDate(outcome.response) }
      job.specification.request.cache?.ifChanged?.hasOtherLength = true
      await run()
    case .cancelled:
      await endCancelled()
    case .failed(let failure):
      registry.slots.failed(job, ReservedJob.origin(of: job), failure, outcome)
      let known = tools.failsFast ? await tools.names.examined(failure, at: outcome.lastURL) : failure
      await fail(known, outcome)
    }
  }

  /// Stores the new cookies. A failure to store them does not fail the job.
  private func keepCookies(_ outcome: TransferOutcome) async {
    guard let report = outcome.cookies else { return }
    let isOver = if case .whole = outcome.end { true } else { false }
    let kept = await disk.attemptRun { [job, cookies, runner] () async throws(Failure) in
      try await cookies.keep(report, of: job.specification.request, job: job.id, holder: runner, isOver: isOver)
    }
    if case .failure(let failure) = kept { cookieFailure = failure }
  }

  /// Returns the note on a successful transfer.
  private func note(_ outcome: TransferOutcome, _ length: LengthProof) -> String? {
    let notes = cookieFailure.map { ["its cookies were not kept: \($0)"] } ?? []
    return JobNote.joined(notes + outcome.notes(length), startedOver: outcome.startedOver)
  }
}

extension TransferOutcome {
  /// Returns notes on the received bytes.
  func notes(_ length: LengthProof) -> [String] {
    (length == .unverified ? ["length unverified: the server gave none"] : []) + (response?.head.codingNotes ?? [])
  }
}
