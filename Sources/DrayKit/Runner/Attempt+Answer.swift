// Handles the answer of the server in an attempt: applies the rules that depend on the answer, and fixes the target's
// name.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Handles the head of the answer: fixes the target's name, and finds out before the bytes arrive whether the name is
  /// taken.
  func answered(_ response: ResponseRecord, size: Int64?) async {
    let task = Task { await fixName(response, size: size) }
    naming = task
    if search != nil { Task { await endIfRejected(response) } }
    await task.value
  }

  /// Ends the transfer as soon as it is known that the file will be rejected, because the digest that it needs does not
  /// exist, or its list is forged.
  private func endIfRejected(_ response: ResponseRecord) async {
    let subject = job.specification.request.url.description
    // The control file of seeds may bring a digest.
    guard job.specification.options.seeding == nil,
      let failure = await search?.rejection(of: response.head, known: job.checkpoint.offered, subject),
      isRunning, currentPhase == .connecting || currentPhase == .receiving
    else { return }
    cancel(.end(.failed(failure)))
  }

  private func fixName(_ response: ResponseRecord, size: Int64?) async {
    guard isRunning else { return }
    state.answered()
    do throws(Failure) { try await applyRules(response, size: size) } catch { return cancel(for: error) }
    guard isRunning else { return }
    let fixed = await worker.attemptRun { [job, fixing] () async throws(Failure) in
      _ = try await fixing.store.recordResponse(job.id, runner: fixing.runner, response, size: size)
      let (name, conflict) = try await fixing.fix(job, response, size: size)
      return (name, conflict, try await fixing.uploadName(name, job))
    }
    // The attempt may have ended before this call.
    guard isRunning else { return }
    switch fixed {
    case .success((let name, let conflict, let upload)):
      let path = job.specification.directory
      if let reason = state.names.named(name, conflict, upload: upload, in: path, response) { return cancel(reason) }
      if let upload { transfer?.willBe(upload, ObjectDescription(job, response)) }
    case .failure(let failure): cancel(for: failure)
    }
  }

  var fixing: TargetFixing {
    TargetFixing(store: store, runner: runner, destinations: destinations) { [cancelFlag] in cancelFlag.isSet }
  }

  /// Cancels the attempt because no name can be found for its target.
  private func cancel(for failure: Failure) {
    let (policy, traits) = (job.specification.options.onConflict, job.specification.place.traits)
    if let reason = state.names.notNamed(failure, policy, bindsName: traits.bindsName) { cancel(reason) }
  }

  /// Fixes the name of a small file before its bytes are recorded, because the next attempt may not ask the server
  /// again.
  func nameBeforeCheckpoint() async {
    guard job.fileName == nil, state.names.fixed == nil, let transfer, transfer.received > 0,
      let answer = transfer.answer
    else { return }
    await answered(answer, size: transfer.size)
  }

  // MARK: Rules

  /// Applies the rules that depend on the answer, if this is the job's first answer. If another call is already
  /// applying the rules, waits for that call.
  /// - Parameter isWhole: Whether all bytes are present, so that limits no longer matter.
  func applyRules(_ response: ResponseRecord?, size: Int64?, isWhole: Bool = false) async throws(Failure) {
    if let ruling { return try await ruling.value.get() }
    guard job.specification.options.lateRules != nil else { return }
    let task = Task { await self.decideRules(response, size: size, isWhole: isWhole) }
    ruling = task
    try await task.value.get()
  }

  private func decideRules(
    _ response: ResponseRecord?, size: Int64?, isWhole: Bool
  ) async -> Result<Void, Failure> {
    let facts = job.facts(response, size: size)
    let wanted = job.ruled(by: response, size: size)
    let ruled = await worker.attemptRun { [job, store, runner, destinations] () async throws(Failure) in
      // If the directory cannot be used, nothing is changed.
      if wanted.directory != job.specification.directory { _ = try destinations.open(wanted.place) }
      return try await store.applyRules(job.id, runner: runner) { $0.decideRules(facts) }
    }
    switch ruled {
    case .failure(let failure): return .failure(failure)
    case .success(nil): return .failure(.leaseLost(job.id))
    case .success(let new?):
      let before = job.specification
      job.specification = new.specification
      // Keep the job's own request, because the present request may be that of a mirror.
      job.specification.request = before.request
      job.fileName = new.fileName
      limiter.setLimit(job.specification.options.rateLimit)
      if !isWhole, let queue = job.specification.queue, queue != before.queue { enter(queue, size: size) }
      return .success(())
    }
  }

  /// Moves the job to another named queue: the transfer stops, its bytes are kept, and the limits of that queue decide
  /// when it continues. A small file is first transferred to its end, because that is quicker.
  private func enter(_ queue: String, size: Int64?) {
    guard size ?? .max > AttemptRegistry.smallFile, namedQueues.hasSettings(queue) else { return }
    cancel(untilOpen: .queueChanged(queue))
  }
}

extension Job {
  /// Returns the specification of the job after the rules that the answer decides.
  func ruled(by response: ResponseRecord?, size: Int64?) -> JobSpecification {
    var ruled = specification
    ruled.decideRules(facts(response, size: size))
    return ruled
  }

  /// Returns the facts to which rules apply their conditions, including the facts from the answer. A local file has no
  /// answer.
  func facts(_ response: ResponseRecord?, size: Int64?) -> RuleFacts {
    let name = fileName ?? response.map { TargetName.choose($0, ownName: ownName) } ?? TargetName.provisional(self)
    return RuleFacts(specification, response?.head ?? ResponseHead(status: 200), size: size, name: name)
  }
}
