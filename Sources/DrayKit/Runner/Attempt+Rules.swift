// Applies the rules that the server's answer decides, before the target is named.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Job {
  /// Returns its specification once an answer has decided the rules for it.
  func ruled(by response: ResponseRecord?, size: Int64?) -> JobSpecification {
    var ruled = specification
    ruled.decideRules(facts(response, size: size))
    return ruled
  }

  /// Returns the facts that rules match, with those of the answer. A local file has no answer.
  func facts(_ response: ResponseRecord?, size: Int64?) -> RuleFacts {
    let name = fileName ?? response.map { TargetName.choose($0, ownName: ownName) } ?? TargetName.provisional(self)
    return RuleFacts(specification, response?.head ?? ResponseHead(status: 200), size: size, name: name)
  }
}

extension Attempt {
  /// Applies the rules that an answer decides, if it is the job's first one. If another call has begun that, waits for
  /// it.
  /// - Parameter isWhole: whether all bytes are here, so that no limit matters any more.
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
      // Nothing changes if the directory cannot be used.
      if wanted.directory != job.specification.directory { _ = try destinations.open(wanted.place) }
      return try await store.applyRules(job.id, runner: runner) { $0.decideRules(facts) }
    }
    switch ruled {
    case .failure(let failure): return .failure(failure)
    case .success(nil): return .failure(.leaseLost(job.id))
    case .success(let new?):
      let before = job.specification
      job.specification = new.specification
      // It may be asking a mirror.
      job.specification.request = before.request
      job.fileName = new.fileName
      limiter.setLimit(job.specification.options.rateLimit)
      if !isWhole, let queue = job.specification.queue, queue != before.queue { enter(queue, size: size) }
      return .success(())
    }
  }

  /// Moves the transfer to another named queue: it stops with its bytes kept, and that queue decides when it continues.
  /// A small file runs to its end, which is quicker.
  private func enter(_ queue: String, size: Int64?) {
    guard size ?? .max > AttemptRegistry.smallFile, namedQueues.hasSettings(queue) else { return }
    cancel(untilOpen: .queueChanged(queue))
  }

  /// Returns the part for publishing in the directory that a rule chose.
  func homed(_ part: any PartStorage) async throws(Failure) -> any PartStorage {
    let place = job.specification.place
    guard job.specification.options.askedDirectory != nil, part.destination.path != place.path else { return part }
    return try await disk.run { [destinations] () throws(Failure) -> any PartStorage in
      let destination = try destinations.open(place)
      return part.homed(in: destination)
    }
  }
}
