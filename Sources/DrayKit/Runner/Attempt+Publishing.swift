// Publishes a checked file, and handles a failed publish.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Brings a complete file beside its target, if it is elsewhere.
  /// - Returns: the part to publish; `nil` if the run was stopped.
  func brought(_ part: any PartStorage, size: Int64) async throws(Failure) -> (any PartStorage)? {
    let part = try await homed(part)
    guard part.isAway else { return part }
    phase = .publishing
    return try await copier.run { [signal] () throws(Failure) -> (any PartStorage)? in
      try part.bring(size: size) { signal.isStopping }
    }
  }

  /// Publishes a checked file. Its slot is free from here on.
  func publish(_ part: any PartStorage, size: Int64, _ facts: PublishFacts) {
    guard attempts.beginPublishing(self) else { return }
    phase = .publishing
    let fixed = job.fileName ?? fixedName
    // The intent fixes a name that the server may suggest: asking the store earlier would cost a small file more than
    // everything else.
    let name =
      fixed ?? facts.response.map { TargetName.choose($0, ownName: job.ownName) } ?? TargetName.provisional(job)
    chosenName = name
    let leftOver = job.specification.options.adopts?.leftOver(target: PathText.join(job.specification.directory, name))
    var facts = facts
    if let leftOver { facts.note = JobNote.adding(leftOver, to: facts.note) }
    let item = PublishItem(
      JobBox(job),
      Publication(
        part, size: size, recording: (job.ownRequest ?? job.specification.request).url, job.specification.options,
        facts.response ?? job.response, now: WallClock.now()),
      fileName: name, isNamed: fixed != nil || facts.response == nil, facts: facts,
      sums: part.destination.volume.keepsIdentities ? transfer?.sums.ifWorthKeeping : transfer?.sums)
    publisher(of: item).publish(item) { [attempts] results in Task { await attempts.published(results) } }
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
      attempts.runAgain(self)
      fixedName = end.name
      await upToDate(end.item.facts.response, comparedWith: end.digest)
    case .unfinished(let failure):
      await self.end(.publishingCutOff(failure))
    case .stopped:
      attempts.runAgain(self)
      guard signal.isHalted || isCancelled else { return await fail(.nameNotFound(end.item.publication.part.path)) }
      cancelForEnd()
      await endCancelled()
    case .failed(let failure) where failure.kind == .store:
      leave(failingRun: failure)
    case .failed(let failure)
    where failure.kind == .integrity && failure.recovery == .retry && end.item.publication.part.destination.isRemote:
      // The object was read back, and was not the expected file: it is gone.
      attempts.runAgain(self)
      await mismatch(failure.recovering(.final), resumed: true)
    case .failed(let failure) where failure.isUploadNameLost:
      attempts.runAgain(self)
      await abandonPart()
      await self.end(.uploadNameTaken(failure))
    case .failed(let failure):
      attempts.runAgain(self)
      await fail(failure)
    case .refused(let failure):
      attempts.runAgain(self)
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
