// Brings a checked file to the place of its target, and hands it to the publisher.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Brings a complete file to the place of its target, if it is in another place.
  /// - Returns: The part to publish; `nil` if the attempt or the run was stopped.
  func staged(_ part: any PartStorage, size: Int64) async throws(Failure) -> (any PartStorage)? {
    let part = try await homed(part)
    guard part.isAway else { return part }
    state.staging()
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

  /// Waits until a file has been sent to its server. No thread is blocked, because the server may be slow.
  /// - Returns: The part; `nil` if the attempt or the run was stopped.
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

  /// Brings a file that was checked before this attempt to the place of its target.
  func stage(_ part: any PartStorage, size: Int64) async -> Action {
    let result: Result<(any PartStorage)?, Failure>
    do throws(Failure) { result = .success(try await staged(part, size: size)) } catch { result = .failure(error) }
    return state.staged(result)
  }

  /// Returns the part in the form in which it is published in the directory that a rule chose.
  private func homed(_ part: any PartStorage) async throws(Failure) -> any PartStorage {
    let place = job.specification.place
    guard job.specification.options.askedDirectory != nil, part.destination.path != place.path else { return part }
    return try await disk.run { [destinations] () throws(Failure) -> any PartStorage in
      let destination = try destinations.open(place)
      return part.homed(in: destination)
    }
  }

  /// Hands a checked file to the publisher. From now on, the attempt's slot is free.
  func handOver(_ part: any PartStorage, size: Int64, _ facts: PublishFacts) {
    guard registry.beginPublishing(self) else { return }
    let bound = job.specification.options.onConflict == .rename ? part.publishable.boundName : nil
    let fixed = bound ?? job.fileName ?? state.names.fixed
    // A name that the server may suggest is fixed only when the publish is recorded. For a small file, an earlier call
    // to the store would cost more than all other steps.
    let name =
      fixed ?? facts.response.map { TargetName.choose($0, ownName: job.ownName) } ?? TargetName.provisional(job)
    state.handedOver(as: name)
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

  /// Handles the result of the publish.
  func published(_ end: Published) async {
    let action = state.published(end, halt: signal.isHalted ? haltReason : nil)
    if state.place != .publisher { registry.runAgain(self) }
    await carryOut(action)
  }

  /// Records that an upload starts over, unless it has already done so once.
  func recordRetry() async throws(Failure) -> Action {
    let isFirst = try await store.recordDigestRetry(job.id, .whole, runner: runner)
    return state.retryRecorded(isFirst: isFirst)
  }
}
