// Takes over the bytes that a process wrote to the part file between its last checkpoint and its death (P21).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Compares the bytes of a journal with their checksums, syncs those that match to the disk, and records them. Then
  /// the journal is removed. After a crash before that, the next attempt finds the journal again.
  /// - Returns: Whether the checkpoint has changed.
  func takeJournal() async throws(Failure) -> Bool {
    let place = home.journal(of: job)
    guard job.attempts > 1, job.publishing == nil, job.specification.place.traits.keepsPartFiles,
      case .success((let journal, let part)?) = await leftJournal(at: place)
    else { return false }
    guard let part else { return await dropJournal(at: place) }
    let (version, sums) = journal
    let bytes = await hasher.attemptRun { [job, signal] () throws(Failure) -> [BlockSums.Extent]? in
      let all = JournalRule.extents(of: version, sums, for: job, in: try part.identity(), boot: JournalPlace.boot)
      guard let bad = BlockComparison.differing(all, in: part, isCancelled: { signal.isStopping }) else { return nil }
      let good = all.filter { !bad.contains($0) }
      // The store may record fewer bytes than are on the disk, but never more.
      if !good.isEmpty { _ = try part.makeDurable(SegmentSet(0..<(good.map(\.upper).max() ?? 0))) }
      return good
    }
    guard case .success(let good?) = bytes else { return false }
    guard !good.isEmpty else { return await dropJournal(at: place) }
    let joined = JournalRule.joined(job.checkpoint, try await store.sums(of: job.id), with: good, of: version)
    try await checkpointer.extend(job.id, to: joined)
    job.checkpoint = joined
    job.checkpoint.sums = BlockSums()
    _ = await dropJournal(at: place)
    return true
  }

  /// Reads the journal that a process left behind, and opens the part file. If the destination cannot be used, this is
  /// reported later, when the attempt is planned.
  private func leftJournal(
    at place: JournalPlace
  ) async -> Result<(journal: (version: JournaledVersion, sums: BlockSums), part: (any PartStorage)?)?, Failure> {
    await disk.attemptRun { [job, destinations] () throws(Failure) in
      guard let journal = place.read() else {
        // A torn one would stay if this attempt ends before it writes its own.
        place.remove()
        return nil
      }
      let destination = try destinations.open(job.specification.place)
      return (journal, try destination.openPart(job.partFileName, recorded: job.checkpoint))
    }
  }

  private func dropJournal(at place: JournalPlace) async -> Bool {
    _ = await disk.attemptRun { () throws(Failure) in place.remove() }
    return false
  }
}
