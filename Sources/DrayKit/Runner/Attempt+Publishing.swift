// Publishes a checked file, and handles a failed publish.

internal import DrayEngine
internal import DrayStore
internal import Synchronization
internal import Threads

extension Attempt {
  /// Brings a complete file beside its target, if it is elsewhere.
  /// - Returns: the part to publish; `nil` if the attempt or the run was stopped.
  func staged(_ part: any PartStorage, size: Int64) async throws(Failure) -> (any PartStorage)? {
    let part = try await homed(part)
    guard part.isAway else { return part }
    phase = .publishing
    var staged: (any PartStorage)?
    if let isThere = try part.isStaged(size: size) {
      staged = try await sent(part, size: size, isThere)
    } else {
      staged = try await copier.run { [self, signal] () throws(Failure) -> (any PartStorage)? in
        try part.stage(size: size) { signal.isHalted || cancelFlag.isSet }
      }
    }
    if staged == nil, signal.isHalted { cancelForEnd() }
    return staged
  }

  /// Waits for a file that is being sent. Blocks no thread: a server may take its time.
  /// - Returns: the part; `nil` if the attempt or the run was stopped.
  private func sent(
    _ part: any PartStorage, size: Int64, _ isThere: Bool
  ) async throws(Failure) -> (any PartStorage)? {
    var (isThere, wait) = (isThere, 0.005)
    while !isThere {
      guard !signal.isHalted, !isCancelled else {
        part.stop()
        return nil
      }
      try? await Task.sleep(for: .seconds(wait))
      wait = min(wait * 2, 0.05)
      isThere = try part.isStaged(size: size) ?? true
    }
    return part
  }

  /// Hands a checked file to the publisher. Its slot is free from here on.
  func handOver(_ part: any PartStorage, size: Int64, _ facts: PublishFacts) {
    guard registry.beginPublishing(self) else { return }
    phase = .publishing
    let bound = job.specification.options.onConflict == .rename ? part.publishable.boundName : nil
    let fixed = bound ?? job.fileName ?? fixedName
    // The intent fixes a name that the server may suggest: asking the store earlier would cost a small file more than
    // everything else.
    let name =
      fixed ?? facts.response.map { TargetName.choose($0, ownName: job.ownName) } ?? TargetName.provisional(job)
    chosenName = name
    let leftOver = job.specification.options.adopts?.leftOver(target: PathText.join(job.specification.directory, name))
    var facts = facts
    if let leftOver { facts.note = JobNote.adding(leftOver, to: facts.note) }
    registry.publish(
      PublishItem(
        JobBox(job),
        Publication(
          part, size: size, recording: (job.ownRequest ?? job.specification.request).url, job.specification.options,
          facts.response ?? job.response, now: WallClock.now()),
        fileName: name, isNamed: fixed != nil || facts.response == nil, facts: facts,
        sums: part.destination.volume.keepsIdentities ? transfer?.sums.ifWorthKeeping : transfer?.sums))
  }

  /// Starts an upload over that cannot be published as it is. Tried once: a second failure would come after as many
  /// bytes, and then ends the job.
  private func uploadAgain(_ failure: Failure, _ first: AttemptEnd) async {
    if isCancelled { return await endCancelled() }
    do throws(Failure) {
      let isFirst = try await store.recordDigestRetry(job.id, .whole, runner: runner)
      await abandonPart()
      await end(isFirst ? first : .refused(failure))
    } catch {
      leave(failingRun: error)
    }
  }

  /// Receives the result of its publish.
  func published(_ end: Published) async {
    let size = end.item.publication.size
    switch end.result {
    case .published(let path):
      leave(reporting: .complete(path: path, size: size, digest: end.item.facts.digest, note: end.note), bytes: size)
    case .skipped(let path):
      await self.end(.skipped(path: path))
    case .equal:
      registry.runAgain(self)
      fixedName = end.name
      await upToDate(end.item.facts.response, comparedWith: end.digest)
    case .unfinished(let failure):
      if let fault = await shares?.judge(failure, of: job) { return await handBack(fault) }
      await self.end(.publishingCutOff(failure))
    case .stopped:
      registry.runAgain(self)
      guard signal.isHalted || isCancelled else { return await fail(.nameNotFound(end.item.publication.part.path)) }
      cancelForEnd()
      await endCancelled()
    case .next:
      break  // The publisher keeps it for its next group.
    case .busy(let failure):
      registry.runAgain(self)
      await self.end(.targetBusy(failure))
    case .failed(let failure) where failure.kind == .store:
      leave(failingRun: failure)
    case .failed(let failure) where failure.leavesWrongObject:
      registry.runAgain(self)
      await abandonPart()
      await self.end(.refused(failure))
    case .failed(let failure) where failure.isUnproved:
      registry.runAgain(self)
      // In order, its digest is known in time, unless it is by an algorithm that nobody expected.
      await uploadAgain(failure, .uploadUnproved(failure))
    case .failed(let failure)
    where failure.kind == .integrity && failure.recovery == .retry && failure.httpStatus != nil:
      registry.runAgain(self)
      await uploadAgain(failure, .partsRefused(failure))
    case .failed(let failure)
    where failure.kind == .integrity && failure.recovery == .retry
      && !end.item.publication.part.destination.traits.holdsFiles:
      // The object was read back, and was not the expected file: it is gone.
      registry.runAgain(self)
      await mismatch(failure.recovering(.final), resumed: true)
    case .failed(let failure) where failure.isUploadNameLost:
      registry.runAgain(self)
      await abandonPart()
      await self.end(.uploadNameTaken(failure))
    case .failed(let failure)
    where failure.owner != nil && end.item.publication.part.publishable.boundName != nil
      && failure.clashAnswer(job.specification.options.onConflict) == .rename:
      // Another job has taken the upload's key as its target.
      registry.runAgain(self)
      await abandonPart()
      await self.end(.uploadNameTaken(failure.recovering(.retry)))
    case .failed(let failure):
      registry.runAgain(self)
      await failPublish(failure)
    case .refused(let failure):
      registry.runAgain(self)
      await abandonPart()
      await mismatch(failure, resumed: false, isPage: true)
    }
  }
}

extension Failure {
  /// The failure of a publish that a short suspension of its run ended.
  fileprivate static func nameNotFound(_ path: String) -> Failure {
    Failure(.other, path, "the search for a free name was interrupted", recovery: .retry)
  }
}
