// Transfers the bytes of an attempt, from its request to its end. A request that must not be repeated (P10) is recorded
// before it is sent, and never sent again unless a user asks for it.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Transfers the missing bytes, if any.
  func transfer(_ plan: TransferPlan) async -> Action {
    var plan = plan
    plan.limiters = limiters
    plan.front = tools.front
    plan.limitPerOrigin(tools.maxPerOrigin)
    destination = plan.destination
    search = DigestSearchTask(job.specification, engine)
    if let body = plan.request.body {
      let located = await disk.attemptRun { [home] () throws(Failure) in BodyFiles.located(body, in: home) }
      plan.request.body = (try? located.get()) ?? body
    }
    if plan.isWhole, let part = plan.part, let size = plan.checkpoint.size {
      return state.isWhole(
        WholeFile(
          part: part, size: size, response: job.response, offered: plan.checkpoint.offered, isResumed: true,
          note: job.note))
    }
    guard await mayBegin() else { return .wait }
    let transfer = engine.start(plan, observer: registry.watcher(job))
    self.transfer = transfer
    state.transferBegan()
    if isCancelled { transfer.cancel() }
    let clock = startClock()
    let outcome = await transfer.outcome()
    clock?.cancel()
    return .receive(outcome)
  }

  /// Returns whether the attempt may start. If the request must not be repeated, first records durably that it is about
  /// to be sent.
  private func mayBegin() async -> Bool {
    guard !job.specification.request.isSafe else { return true }
    do throws(Failure) {
      let isHeld = try await store.beginSubmission(job.id, runner: runner, now: WallClock.now())
      if isHeld { return true }
    } catch {
      signal.fail(error)
    }
    leave()
    return false
  }

  /// The rate limits: the job's own, that of its named queue, and that of the run.
  var limiters: [RateLimiter] {
    let queue = namedQueues.limiter(of: job.specification.queue, at: WallClock.now())
    return [limiter, queue, overallLimit].compactMap(\.self)
  }

  /// Starts the time limit of the attempt, if it has one.
  private func startClock() -> Task<Void, Never>? {
    guard let limit = job.specification.options.maxTime.map(TimeLimit.init) else { return nil }
    return Task {
      // The task is cancelled when the transfer ends.
      do { try await Task.sleep(for: .seconds(limit.seconds)) } catch { return }
      guard isRunning else { return }
      cancel(.end(.failed(limit.failure(job.specification.request.url.description))))
    }
  }

  // MARK: Its end

  /// Handles the end of a direct transfer; a complete file is published at once.
  func directTransferEnded(_ outcome: TransferOutcome, _ isHandedOn: Bool) {
    let action = state.directTransferEnded(outcome, isHandedOn: isHandedOn) { size, proof in
      PublishFacts(
        response: outcome.response ?? job.response, note: note(outcome, proof, nil),
        attempt: record("complete", last: size))
    }
    if case .publish(let part, let size, let facts) = action {
      handOver(part, size: size, facts)
    } else {
      Task { await carryOut(action) }
    }
  }

  /// Keeps the cookies of a transfer that has ended, and reports its end.
  func receive(_ outcome: TransferOutcome) async -> Action {
    let cookieFailure = await keepCookies(outcome)
    switch outcome.end {
    case .whole(let part, let size, let proof):
      return state.transferEnded(
        .whole(
          WholeFile(
            part: part, size: size, response: outcome.response ?? job.response, offered: outcome.offered,
            isResumed: outcome.resumedFrom > 0 || outcome.isMixed, hasSeeds: outcome.hasSeeds,
            note: note(outcome, proof, cookieFailure))))
    case .answered: return state.transferEnded(.answered(outcome.response))
    case .upToDate:
      let isOther = await hasOtherLength(outcome.response)
      if isOther { job.specification.request.cache?.ifChanged?.hasOtherLength = true }
      return state.transferEnded(.upToDate(outcome.response, hasOtherLength: isOther))
    case .cancelled: return state.transferEnded(.cancelled)
    case .failed(let failure):
      registry.slots.failed(job, ReservedJob.origin(of: job), failure, outcome)
      let known = tools.failsFast ? await tools.names.examined(failure, at: outcome.lastURL) : failure
      return state.transferEnded(.failed(known, outcome))
    }
  }

  /// Stores the new cookies. A failure to store them does not make the job fail.
  private func keepCookies(_ outcome: TransferOutcome) async -> Failure? {
    guard let report = outcome.cookies else { return nil }
    let isOver = if case .whole = outcome.end { true } else { false }
    let kept = await disk.attemptRun { [job, cookies, runner] () async throws(Failure) in
      try await cookies.keep(report, of: job.specification.request, job: job.id, holder: runner, isOver: isOver)
    }
    if case .failure(let failure) = kept { return failure }
    return nil
  }

  private func note(_ outcome: TransferOutcome, _ length: LengthProof, _ cookieFailure: Failure?) -> String? {
    let notes = cookieFailure.map { ["its cookies were not kept: \($0)"] } ?? []
    return JobNote.joined(notes + outcome.notes(length), startedOver: outcome.startedOver)
  }

  /// Completes a job without a file, because its answer has no body or its body is not kept.
  func finishWithoutFile(_ response: ResponseRecord?) async throws(Failure) -> Action {
    let note = SubmissionRule.note(on: job.specification.request, response?.head)
    let attempt = record("complete")
    await removePart()
    _ = try await store.finishWithoutFile(
      job.id, runner: runner, response: response, note: note, now: WallClock.now(), attempt: attempt)
    return .leave(.completeWithoutFile(note: note), bytes: 0)
  }
}

extension TransferOutcome {
  func notes(_ length: LengthProof) -> [String] {
    (length == .unverified ? ["length unverified: the server gave none"] : []) + (response?.head.codingNotes ?? [])
  }
}
