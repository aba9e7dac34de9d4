// All bytes of a file are here: it is checked against everything that is known of it (P12), then published.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// A file whose bytes are all here.
struct WholeFile: Sendable {
  var part: any PartStorage
  var size: Int64
  /// The answer that brought it; `nil` if none is known.
  var response: ResponseRecord?
  /// The digests that its server offers.
  var offered: [SourcedDigest] = []
  /// Whether its bytes came in several answers: each may be good, and they may not fit together.
  var isResumed: Bool
  var note: String?
}

extension Attempt {
  /// Checks a whole file against its length and its digests, then publishes it.
  func check(_ file: WholeFile) async {
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
    let proof: (digest: SourcedDigest?, doubts: [String])?
    do throws(Failure) { proof = try await prove(file) } catch {
      guard error.kind == .integrity else { return await fail(error) }
      return await mismatch(error, in: file, resumed: file.isResumed)
    }
    guard let proof else { return await endCancelled() }
    if case .end(.command)? = cancelled { return await endCancelled() }
    do throws(Failure) {
      guard try await mayReplace(file) else { return await upToDate(file.response) }
      let doubts = proof.doubts.joined(separator: "; ")
      publish(
        file.part, size: file.size,
        PublishFacts(
          digest: proof.digest, response: file.response,
          note: doubts.isEmpty ? file.note : JobNote.adding(doubts, to: file.note),
          attempt: record("complete", last: file.size)))
    } catch {
      await fail(error)
    }
  }

  /// Compares a file with the digests that are known of it.
  /// - Returns: the digest that was proved, and what could not be proved; `nil` if the attempt or the run was stopped.
  /// - Throws: kind `integrity` for a file that is not the one that was meant.
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
    let found = try await hasher.run { [signal, transfer, algorithms = check.algorithms] () throws(Failure) in
      try FileHashing.digests(algorithms, file.part, file.size, after: transfer) { signal.isStopping }
    }
    guard let found else { return nil }
    let outcome = try DigestCheck.outcome(check.verdict(found), subject)
    return (outcome.digest, [outcome.doubt, searchNote].compactMap(\.self))
  }

  /// Whether the target is to be published: not if what has its name is up to date, where only the server could name it.
  private func mayReplace(_ file: WholeFile) async throws(Failure) -> Bool {
    guard job.specification.request.cache?.ifChanged != nil, job.fileName == nil, let response = file.response else {
      return true
    }
    let (name, conflict) = try await worker.run { [job, store, runner, destinations] () async throws(Failure) in
      try await TargetFixing.fix(job, response, size: file.size, store: store, runner: runner, destinations)
    }
    fixedName = name
    return conflict != .upToDate
  }

  /// Handles a digest or a length that is not the expected one: fetches the bad pieces again where hashes of them are known;
  /// after a resume fetches the file once more from zero; then asks a mirror, else gives up.
  /// - Parameter isPage: whether a page came instead, and no part file is left.
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
        // A command that came since the last beat would be forgotten with the job.
        try await attempts.intake?.pollCommands()
        if isCancelled { return await endCancelled() }
      }
      await end(isPage ? .pageInstead(failure) : .mismatched(failure, remedy))
    } catch {
      leave(failingRun: error)
    }
  }
}

extension JobOptions {
  /// Compares a length with the one that was given.
  /// - Throws: kind `integrity` if they differ.
  func checkSize(_ size: Int64, _ subject: String) throws(Failure) {
    guard let expected = expectedSize, expected != size else { return }
    throw Failure(
      .integrity, subject, "\(size) bytes came, expected \(expected)",
      advice: "check the size that was given, and whether the file changed on the server")
  }
}
