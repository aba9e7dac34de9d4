// Checks a complete file against all known facts about it (P12), and looks for a remedy if the file is wrong.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Checks the length and the digests of a complete file, and brings the file to its target's place.
  func check(_ complete: WholeFile) async -> AttemptStateMachine.Checked {
    var (file, step) = (complete, AttemptStateMachine.CheckStep.rules)
    do throws(Failure) {
      try await applyRules(file.response, size: file.size, isWhole: true)
      let options = job.specification.options
      step = .length
      try options.checkSize(file.size, job.specification.request.url.description)
      if file.isResumed || options.repairs != nil {
        step = .store
        switch try await refetched(file.part, size: file.size) {
        case .right: break
        case .wrong(let failure, let isRepair): return .wrong(failure, isRepair ? .repair : .blocks)
        case .cancelled: return .stopped
        }
      }
      step = .target
      if file.part.destination.traits.bindsName {
        await describe(file)
        if isCancelled { return .stopped }
      }
      if !file.part.isReadable {
        guard let part = try await staged(file.part, size: file.size) else { return .stopped }
        file.part = part
      }
      step = .lists
      guard let (check, searchNote) = try await knownDigests(file) else { return .stopped }
      step = .digests(of: file)
      guard let proof = try await prove(file, check, searchNote), !state.hasCommand else { return .stopped }
      step = .target
      guard try await mayReplace(file) else { return .upToDate }
      guard let part = try await staged(file.part, size: file.size), !state.hasCommand else { return .stopped }
      let doubts = proof.doubts.joined(separator: "; ")
      return .right(
        part,
        PublishFacts(
          digest: proof.digest, response: file.response,
          note: doubts.isEmpty ? file.note : JobNote.adding(doubts, to: file.note),
          attempt: record("complete", last: file.size)))
    } catch {
      return .wrong(error, step)
    }
  }

  /// Describes the object to its destination, unless that was done when the answer arrived.
  private func describe(_ file: WholeFile) async {
    // The task that fixes the name may still be running.
    await naming?.value
    if state.names.upload == nil, !isCancelled, let response = file.response {
      await answered(response, size: file.size)
    }
    guard let name = state.names.upload ?? job.checkpoint.upload.map({ PathText.name(of: $0.key) }) else { return }
    file.part.willBe(name, ObjectDescription(job, file.response ?? job.response))
  }

  /// Returns the known digests of a file, including that of a list beside it, and a note about the search for the list;
  /// `nil` if the attempt or the run was stopped.
  /// - Throws: The failure of the search, if the file does not count as checked without its result.
  private func knownDigests(_ file: WholeFile) async throws(Failure) -> (DigestCheck, note: String?)? {
    var check = DigestCheck(binding: job.specification.options.binding, offered: file.offered)
    let version = (file.response ?? job.response)?.head.validators ?? job.checkpoint.validators
    let isProved = !check.binding.isEmpty || check.offered.best != nil
    if let seeding = job.specification.options.seeding,
      let digest = seeding.binding(version: version, hasSeeds: file.hasSeeds, isProved: isProved)
    {
      check.binding.append(digest)
    }
    guard let search else { return (check, nil) }
    state.verifying()
    guard let result = await search.result() else { return nil }
    let note = try search.add(result, to: &check, job.specification.request.url.description)
    return (check, note)
  }

  /// Compares a file with its known digests.
  /// - Returns: The proven digest and the remaining doubts; `nil` if the attempt or the run was stopped.
  /// - Throws: Kind `integrity` for a file that does not match.
  private func prove(
    _ file: WholeFile, _ check: DigestCheck, _ searchNote: String?
  ) async throws(Failure) -> (digest: SourcedDigest?, doubts: [String])? {
    let subject = job.specification.request.url.description
    guard !check.algorithms.isEmpty else { return (job.knownDigest, [searchNote].compactMap(\.self)) }
    state.verifying()
    let part = file.part
    if !part.isReadable {
      // If the bytes came out of order, there is no digest yet; the object will be read back later.
      let known = await hasher.attemptRun { [algorithms = check.algorithms] () throws(Failure) in
        part.hashed(algorithms)
      }
      guard let found = try known.get() else {
        part.mustProve(check.algorithms) { [check] (found) throws(Failure) in
          try DigestCheck.outcome(check.verdict(found), subject).digest
        }
        return (nil, [searchNote].compactMap(\.self))
      }
      let outcome = try DigestCheck.outcome(check.verdict(found), subject)
      return (outcome.digest, [outcome.doubt, searchNote].compactMap(\.self))
    }
    let found = try await hasher.run { [signal, transfer, algorithms = check.algorithms] () throws(Failure) in
      try FileHashing.digests(algorithms, part, file.size, after: transfer) { signal.isStopping }
    }
    guard let found else { return nil }
    let verdict = check.verdict(found)
    if case .refuted(let expected, _) = verdict { refutesControl = expected.source == .zsync }
    let outcome = try DigestCheck.outcome(
      verdict, subject,
      control: job.specification.options.seeding?.shownPlace(beside: job.specification.request.url))
    return (outcome.digest, [outcome.doubt, searchNote].compactMap(\.self))
  }

  /// Returns whether the target may be published. If only the server could name the file, an existing file with that
  /// name may be up to date.
  /// - Throws: The refusal, if the existing file of a conditional fetch is not an earlier version.
  private func mayReplace(_ file: WholeFile) async throws(Failure) -> Bool {
    guard job.specification.request.cache?.ifChanged != nil, let response = file.response else { return true }
    let (name, conflict) = try await worker.run { [job, fixing] () async throws(Failure) in
      try await fixing.fix(job, response, size: file.size)
    }
    state.names.fixed = name
    if case .refuse(let failure) = conflict { throw failure }
    return conflict != .upToDate
  }

  // MARK: Damaged blocks that were fetched again

  private enum Refetched {
    /// The bytes match, or none were fetched again.
    case right
    /// The bytes belong to another version, or are wrong again.
    case wrong(Failure, isRepair: Bool)
    case cancelled
  }

  /// Compares bytes that were fetched again with the known checksums. If a digest is known, this check is left out,
  /// because the digest proves more.
  private func refetched(_ part: any PartStorage, size: Int64) async throws(Failure) -> Refetched {
    guard job.specification.options.digest == nil else { return .right }
    let expected = try await store.expected(of: job.id)
    guard let expected else { return .right }
    let pieces = expected.repaired == nil ? nil : job.specification.options.pieces
    let isRight = try await hasher.run { [signal] () throws(Failure) -> Bool? in
      let isCancelled = { signal.isStopping }
      if let pieces, pieces.fits(size) {
        return pieces.good(in: part, size: size, isCancelled: isCancelled)?.isWhole(size)
      }
      // The digest that was to prove the repaired bytes is no longer among the job's options.
      if expected.repaired != nil, expected.sums.isEmpty { return false }
      return BlockComparison.differing(expected.sums.extents, in: part, isCancelled: isCancelled)?.isEmpty
    }
    switch isRight {
    case nil: return .cancelled
    case true?: return .right
    case false?:
      return .wrong(
        Failure(
          .integrity, job.specification.request.url.description,
          "the server's bytes for the damaged blocks differ from the original: it has another version of the file",
          advice: "the file is unchanged; remove it, and \(.retry) fetches the server's version"),
        isRepair: expected.repaired != nil)
    }
  }

  // MARK: Remedies

  /// Looks for a remedy for wrong bytes. If hashes of pieces are known, the bad pieces are fetched again. A file that
  /// was resumed is fetched once more, as a whole.
  func seekRemedy(_ file: WholeFile?, isResumed: Bool) async throws(Failure) -> Action {
    if let file, try await keepGoodPieces(in: file.part, size: file.size) { return state.remedied(.otherPieces) }
    let isFirst = isResumed ? try await store.recordDigestRetry(job.id, .whole, runner: runner) : false
    if !isFirst, refutesControl, let seeding = job.specification.options.seeding {
      // Otherwise every retry would end in the same way.
      let place = seeding.shownPlace(beside: job.specification.request.url)
      try await checkpointer.refuteSeeds(job.id, .contradicted(place))
    }
    return state.remedied(isFirst ? .cleanFetch : nil)
  }

  /// After a digest that does not match, keeps the pieces whose hashes match, so that only the other pieces are fetched
  /// again. This needs known hashes and valid pieces that can be made durable, and is tried only once.
  /// - Returns: Whether pieces were kept.
  private func keepGoodPieces(in part: any PartStorage, size: Int64) async throws(Failure) -> Bool {
    guard let pieces = job.specification.options.pieces, pieces.fits(size) else { return false }
    let good = try await hasher.run { [signal] () throws(Failure) in
      pieces.good(in: part, size: size) { signal.isStopping }
    }
    guard let good, !good.isEmpty, !good.isWhole(size) else { return false }
    let isFirst = try await store.recordDigestRetry(job.id, .pieces, runner: runner)
    guard isFirst else { return false }
    guard try await checkpointer.reduce(job.id, to: good, of: transfer, or: job.checkpoint) else {
      return false
    }
    emit(.damaged(bytes: size - good.count))
    return true
  }
}

extension JobOptions {
  /// - Throws: Kind `integrity` if a length differs from the expected one.
  func checkSize(_ size: Int64, _ subject: String) throws(Failure) {
    guard let expected = expectedSize, expected != size else { return }
    throw Failure(
      .integrity, subject, "\(size) bytes came, expected \(expected)",
      advice: ExpectedFile.advice("size", isLocked: digestSource == .lock))
  }
}
