// Checks a complete file against all known facts (P12), then publishes it.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// A file whose bytes are all on disk.
struct WholeFile: Sendable {
  var part: any PartStorage
  var size: Int64
  /// The answer that delivered it; `nil` if none is known.
  var response: ResponseRecord?
  /// The digests that its server offers.
  var offered: [SourcedDigest] = []
  /// Whether its bytes came in several answers. Each may be valid, but they may not fit together.
  var isResumed: Bool
  var note: String?
}

extension Attempt {
  /// Checks the length and digests of a complete file, then publishes it.
  func check(_ file: WholeFile) async {
    do throws(Failure) { try await applyRules(file.response, size: file.size, isWhole: true) } catch {
      if error.kind == .store { return leave(failingRun: error) }
      if error.recovery == .final { return await end(.refused(error)) }
      return await fail(error)
    }
    let options = job.specification.options
    do throws(Failure) { try options.checkSize(file.size, job.specification.request.url.description) } catch {
      return await mismatch(error, resumed: file.isResumed)
    }
    if file.isResumed || options.repairs != nil {
      do throws(Failure) {
        switch try await refetched(file.part, size: file.size) {
        case .right: break
        case .wrong(let failure, isRepair: true): return await mismatch(failure, resumed: false)
        case .wrong(let failure, isRepair: false): return await end(.otherVersion(failure))
        case .cancelled: return await endCancelled()
        }
      } catch {
        return leave(failingRun: error)
      }
    }
    var file = file
    if file.part.destination.traits.bindsName {
      await describe(file)
      if isCancelled { return await endCancelled() }
    }
    if !file.part.isReadable {
      do throws(Failure) {
        guard let part = try await staged(file.part, size: file.size) else { return await endCancelled() }
        file.part = part
      } catch {
        return await fail(error)
      }
    }
    let proof: (digest: SourcedDigest?, doubts: [String])?
    do throws(Failure) { proof = try await prove(file) } catch {
      guard error.kind == .integrity else { return await fail(error) }
      return await mismatch(error, in: file, resumed: file.isResumed)
    }
    guard let proof else { return await endCancelled() }
    if case .end(.command)? = cancelled { return await endCancelled() }
    do throws(Failure) {
      guard try await mayReplace(file) else { return await upToDate(file.response) }
      guard let part = try await staged(file.part, size: file.size) else { return await endCancelled() }
      if case .end(.command)? = cancelled { return await endCancelled() }
      let doubts = proof.doubts.joined(separator: "; ")
      handOver(
        part, size: file.size,
        PublishFacts(
          digest: proof.digest, response: file.response,
          note: doubts.isEmpty ? file.note : JobNote.adding(doubts, to: file.note),
          attempt: record("complete", last: file.size)))
    } catch {
      await fail(error)
    }
  }

  /// Describes the object to its destination, unless the handling of the answer has done so.
  private func describe(_ file: WholeFile) async {
    // The search for a free name may still be under way.
    await naming?.value
    if uploadName == nil, !isCancelled, let response = file.response { await answered(response, size: file.size) }
    guard let name = uploadName ?? job.checkpoint.upload.map({ PathText.name(of: $0.key) }) else { return }
    file.part.willBe(name, ObjectDescription(job, file.response ?? job.response))
  }

  /// Compares a file with its known digests.
  /// - Returns: the proven digest and the remaining doubts; `nil` if the attempt or the run was stopped.
  /// - Throws: kind `integrity` for a file that does not match.
  private func prove(_ file: WholeFile) async throws(Failure) -> (digest: SourcedDigest?, doubts: [String])? {
    let subject = job.specification.request.url.description
    var check = DigestCheck(binding: job.specification.options.binding, offered: file.offered)
    var searchNote: String?
    if let search {
      phase = .verifying
      guard let result = await search.result() else { return nil }
      searchNote = try search.add(result, to: &check, subject)
    }
    guard !check.algorithms.isEmpty else { return (job.knownDigest, [searchNote].compactMap(\.self)) }
    phase = .verifying
    let part = file.part
    if !part.isReadable {
      // Bytes that came out of order are hashed by reading the object back.
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
    let outcome = try DigestCheck.outcome(check.verdict(found), subject)
    return (outcome.digest, [outcome.doubt, searchNote].compactMap(\.self))
  }

  /// Returns whether to publish the target. An existing file with a name that only the server could know may be up to
  /// date.
  private func mayReplace(_ file: WholeFile) async throws(Failure) -> Bool {
    guard job.specification.request.cache?.ifChanged != nil, job.fileName == nil, let response = file.response else {
      return true
    }
    let (name, conflict) = try await worker.run {
      [job, store, runner, destinations, cancelFlag] () async throws(Failure) in
      try await TargetFixing.fix(
        job, response, size: file.size, store: store, runner: runner, destinations, isCancelled: { cancelFlag.isSet })
    }
    fixedName = name
    return conflict != .upToDate
  }

  /// Handles a mismatch of the digest or length. Fetches the bad pieces again if their hashes are known. After a
  /// resume, fetches the file once more from zero. Otherwise tries a mirror, or gives up.
  /// - Parameter isPage: whether a page came instead, so that no part file is left.
  func mismatch(_ failure: Failure, in file: WholeFile? = nil, resumed: Bool, isPage: Bool = false) async {
    if isCancelled { return await endCancelled() }
    do throws(Failure) {
      var remedy: MismatchRemedy?
      if let file, try await keepGoodPieces(in: file.part, size: file.size) {
        remedy = .otherPieces
      } else if resumed, try await store.recordDigestRetry(job.id, .whole, runner: runner) {
        remedy = .cleanFetch
      }
      if remedy == nil {
        // A command that came since the last beat would be lost with the job.
        try await registry.claimer?.pollCommands()
        if isCancelled { return await endCancelled() }
      }
      await end(isPage ? .pageInstead(failure) : .mismatched(failure, remedy))
    } catch {
      leave(failingRun: error)
    }
  }
}

extension JobOptions {
  /// Compares a length with the expected one.
  /// - Throws: kind `integrity` if they differ.
  func checkSize(_ size: Int64, _ subject: String) throws(Failure) {
    guard let expected = expectedSize, expected != size else { return }
    throw Failure(
      .integrity, subject, "\(size) bytes came, expected \(expected)",
      advice: "check the given size")
  }
}
