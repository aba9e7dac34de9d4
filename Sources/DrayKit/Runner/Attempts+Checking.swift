// All bytes of a file are here: it is checked against everything that is known of it (P12), then published.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
extension Attempts {
  /// Checks a whole file against its length and its digests, then publishes it.
  /// - Parameters:
  ///   - offered: what the server says that it hashes to.
  ///   - resumed: whether its bytes came in several answers: then they may be good each, and not fit.
  func check(
    _ job: Job, _ part: any PartStorage, size: Int64, response: ResponseRecord?, offered: [SourcedDigest],
    resumed: Bool,
    note: String?
  ) async {
    let (options, subject) = (job.specification.options, job.specification.request.url.description)
    do throws(Failure) { try options.checkSize(size, subject) } catch {
      return await mismatch(job, error, resumed: resumed)
    }
    if resumed || options.repairs != nil {
      do throws(Failure) {
        switch try await refetched(job, part, size: size) {
        case .right: break
        case .wrong(let failure, isRepair: true): return await mismatch(job, failure, resumed: false)
        case .wrong(let failure, isRepair: false): return await end(job, .otherVersion(failure))
        case .cancelled: return await endCancelled(job, running[job.id]?.transfer)
        }
      } catch {
        return leave(job.id, failingRun: error)
      }
    }
    let proof: (digest: SourcedDigest?, doubt: String?)
    var searchNote: String?
    do throws(Failure) {
      var check = DigestCheck(binding: options.binding, offered: offered)
      if let search = running[job.id]?.search {
        running[job.id]?.phase = .verifying
        guard let result = await search.result() else {
          return await endCancelled(job, running[job.id]?.transfer)
        }
        searchNote = try search.add(result, to: &check, subject)
      }
      guard let found = try await prove(job, part, size, check) else {
        return await endCancelled(job, running[job.id]?.transfer)
      }
      proof = found
    } catch {
      guard error.kind == .integrity else { return await fail(job, error, running[job.id]?.transfer) }
      return await mismatch(job, error, in: part, size: size, resumed: resumed)
    }
    if case .end(.command)? = running[job.id]?.cancelled {
      return await endCancelled(job, running[job.id]?.transfer)
    }
    do throws(Failure) {
      guard try await mayReplace(job, response, size: size) else { return await upToDate(job, response) }
      let doubts = [proof.doubt, searchNote].compactMap(\.self).joined(separator: "; ")
      publish(
        job, part, size: size,
        PublishFacts(
          digest: proof.digest, response: response, note: doubts.isEmpty ? note : JobNote.adding(doubts, to: note),
          attempt: record("complete", job, last: size)))
    } catch {
      await fail(job, error, running[job.id]?.transfer)
    }
  }

  /// Compares a file with what is known of it.
  /// - Returns: the digest that was proved, and what else there is to say; `nil` if the run was stopped meanwhile.
  /// - Throws: kind `integrity` for a file that is not the one that was meant.
  private func prove(
    _ job: Job, _ part: any PartStorage, _ size: Int64, _ check: DigestCheck
  ) async throws(Failure) -> (digest: SourcedDigest?, doubt: String?)? {
    guard !check.algorithms.isEmpty else { return (job.knownDigest, nil) }
    running[job.id]?.phase = .verifying
    let found = try await hasher.run { [signal, transfer = running[job.id]?.transfer] () throws(Failure) in
      try FileHashing.digests(check.algorithms, part, size, after: transfer) { signal.isStopping }
    }
    guard let found else { return nil }
    return try DigestCheck.outcome(check.verdict(found), job.specification.request.url.description)
  }

  /// Whether the target is to be published: not if what has its name is up to date, where only the server could name it.
  private func mayReplace(_ job: Job, _ response: ResponseRecord?, size: Int64) async throws(Failure) -> Bool {
    guard job.specification.request.cache?.ifChanged != nil, job.fileName == nil, let response else { return true }
    let (name, conflict) = try await worker.run { [store, id, destinations] () async throws(Failure) in
      try await TargetFixing.fix(job, response, size: size, store: store, runner: id, destinations)
    }
    running[job.id]?.fixedName = name
    return conflict != .upToDate
  }

  /// A digest or a length that is not the expected one: the pieces that are bad, where hashes of them are known; after a resume one clean
  /// fetch from zero; then a mirror, else the end.
  /// - Parameter isPage: whether what came is a page, and no part file is left.
  func mismatch(
    _ job: Job, _ failure: Failure, in part: (any PartStorage)? = nil, size: Int64 = 0, resumed: Bool = false,
    isPage: Bool = false
  ) async {
    if running[job.id]?.cancelled != nil { return await endCancelled(job, running[job.id]?.transfer) }
    do throws(Failure) {
      var remedy: MismatchRemedy?
      if let part, try await keepGoodPieces(job, part, size: size) {
        remedy = .otherPieces
      } else if resumed, try await store.recordDigestRetry(job.id, .whole, runner: id) {
        remedy = .cleanFetch
      }
      if remedy == nil {
        // A command that came since the last beat would be forgotten with the job.
        try await intake?.pollCommands()
        if running[job.id]?.cancelled != nil { return await endCancelled(job, nil) }
      }
      await end(job, isPage ? .pageInstead(failure) : .mismatched(failure, remedy))
    } catch {
      leave(job.id, failingRun: error)
    }
  }
}
