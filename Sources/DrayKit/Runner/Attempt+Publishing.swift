// From a file that was checked to its target, and what follows where it cannot be published.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Publishes a file that has been checked; its slot is free from here on.
  func publish(_ part: any PartStorage, size: Int64, _ facts: PublishFacts) {
    guard attempts.beginPublishing(self) else { return }
    phase = .publishing
    let fixed = job.fileName ?? fixedName
    // A name that the server may suggest is fixed with the intent: asking the store earlier would cost a small file more
    // than all else.
    let name =
      fixed ?? facts.response.map { TargetName.choose($0, ownName: job.ownName) } ?? TargetName.provisional(job)
    chosenName = name
    let leftOver = job.specification.options.adopts?.leftOver(target: PathText.join(job.specification.directory, name))
    var facts = facts
    if let leftOver { facts.note = JobNote.adding(leftOver, to: facts.note) }
    let item = PublishItem(
      job: job,
      publication: Publication(part: part, size: size, modified: modified(facts.response ?? job.response)),
      fileName: name, isNamed: fixed != nil || facts.response == nil, facts: facts,
      sums: part.destination.volume.keepsIdentities ? transfer?.sums.ifWorthKeeping : transfer?.sums)
    publisher.publish(item) { [attempts] results in Task { await attempts.published(results) } }
  }

  /// Receives how its publish ended.
  func published(_ end: Published) async {
    let size = end.item.publication.size
    switch end.result {
    case .published(let path):
      leave(reporting: .complete(path: path, size: size, digest: end.item.facts.digest, note: end.note), bytes: size)
    case .skipped(let path):
      await self.end(.skipped(path: path))
    case .unfinished(let failure):
      await self.end(.publishingCutOff(failure))
    case .failed(let failure) where failure.kind == .store:
      leave(failingRun: failure)
    case .failed(let failure):
      attempts.runAgain(self)
      await fail(failure)
    case .refused(let failure):
      attempts.runAgain(self)
      await abandonPart()
      await mismatch(failure, resumed: false, isPage: true)
    }
  }

  /// The time that the target gets, in seconds since 1970; `nil` is that of its arrival.
  private func modified(_ response: ResponseRecord?) -> Int64? {
    guard !(job.specification.options.keepsArrivalTime ?? false), let response else { return nil }
    return ArrivalTime.lastModified(response.head, now: Int64(WallClock.now()))
  }
}
