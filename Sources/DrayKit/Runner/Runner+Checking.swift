// All bytes of a file are here: it is checked against everything that is known of it (P12), then published.

internal import DrayEngine
internal import Foundation
internal import Synchronization

extension Runner {
  /// Checks a whole file against its length and its digests, then publishes it.
  /// - Parameters:
  ///   - offered: what the server says that it hashes to.
  ///   - resumed: whether its bytes came in several answers: then they may be good each, and not fit.
  func check(
    _ job: Job, _ part: PartFile, size: Int64, response: ResponseRecord?, offered: [SourcedDigest], resumed: Bool,
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
        case .wrong(let failure, isRepair: false): return try await startOver(job, failure)
        case .stop: return await stopped(job, running[job.id]?.transfer)
        }
      } catch {
        giveUp(error)
        return leave(job.id)
      }
    }
    let proof: (digest: SourcedDigest?, doubt: String?)
    var searchNote: String?
    do throws(Failure) {
      var check = DigestCheck(binding: options.binding, offered: offered)
      if let search = running[job.id]?.search {
        running[job.id]?.phase = .verifying
        guard let result = await search.result() else {
          return await stopped(job, running[job.id]?.transfer)
        }
        searchNote = try search.add(result, to: &check, subject)
      }
      guard let found = try await prove(job, part, size, check) else {
        return await stopped(job, running[job.id]?.transfer)
      }
      proof = found
    } catch {
      guard error.kind == .integrity else { return await settle(job, error, running[job.id]?.transfer, nil) }
      return await mismatch(job, error, in: part, size: size, resumed: resumed)
    }
    if let reason = running[job.id]?.stop, case .command = reason {
      return await stopped(job, running[job.id]?.transfer)
    }
    do throws(Failure) {
      guard try await mayReplace(job, response, size: size) else { return await upToDate(job, response) }
      let doubts = [proof.doubt, searchNote].compactMap(\.self).joined(separator: "; ")
      publish(
        job, part, size: size, digest: proof.digest, response: response,
        note: doubts.isEmpty ? note : JobNote.adding(doubts, to: note),
        attempt: ending(job, "complete", nil, last: size))
    } catch {
      await settle(job, error, running[job.id]?.transfer, nil)
    }
  }

  /// Compares a file with what is known of it.
  /// - Returns: the digest that was proved, and what else there is to say; `nil` if the run was stopped meanwhile.
  /// - Throws: kind `integrity` for a file that is not the one that was meant.
  private func prove(
    _ job: Job, _ part: PartFile, _ size: Int64, _ check: DigestCheck
  ) async throws(Failure) -> (digest: SourcedDigest?, doubt: String?)? {
    guard !check.algorithms.isEmpty else { return (job.knownDigest, nil) }
    running[job.id]?.phase = .verifying
    let found = try await hasher.run { [self, transfer = running[job.id]?.transfer] () throws(Failure) in
      try FileHashing.digests(check.algorithms, part, size, after: transfer) { isStopping.load(ordering: .relaxed) }
    }
    guard let found else { return nil }
    return try DigestCheck.outcome(check.verdict(found), job.specification.request.url.description)
  }

  /// Whether the target is to be published: not if what has its name is up to date, where only the server could name it.
  private func mayReplace(_ job: Job, _ response: ResponseRecord?, size: Int64) async throws(Failure) -> Bool {
    guard job.specification.request.cache?.ifChanged != nil, job.fileName == nil, let response else { return true }
    let (name, conflict) = try await worker.run { [store, id, directories] () async throws(Failure) in
      try await TargetFixing.fix(job, response, size: size, store: store, runner: id, directories)
    }
    running[job.id]?.fixedName = name
    return conflict != .upToDate
  }

  /// A digest or a length that is not the expected one: the pieces that are bad, where hashes tell; after a resume one clean
  /// fetch from zero; then a mirror, else the end.
  private func mismatch(
    _ job: Job, _ failure: Failure, in part: PartFile? = nil, size: Int64 = 0, resumed: Bool
  ) async {
    if running[job.id]?.stop != nil { return await stopped(job, running[job.id]?.transfer) }
    do throws(Failure) {
      let keepsPieces = if let part { try await keepGoodPieces(job, part, size: size) } else { false }
      if !keepsPieces {
        let again = try await worker.run { [store, id] () async throws(Failure) in
          guard resumed else { return false }
          return try await store.recordDigestRetry(job.id, .whole, runner: id)
        }
        if !again, let told = turn(job, failure, reached: 0) { return await finish(job, told) }
        try await checkpointer.forget(job.id, of: running[job.id]?.transfer, note: JobNote.startedOver(.digestMismatch))
        removePart(of: job)
        emit(job.id, .restarted(.digestMismatch))
      }
      let attempt = ending(job, "digest mismatch", failure, last: nil)
      guard try await queueAgain(job, job.retry, failure, attempt, wish: .comesFirst) else {
        return await overtaken(job, running[job.id]?.transfer)
      }
      leave(job.id)
    } catch {
      giveUp(error)
      leave(job.id)
    }
  }

  /// Ends a job whose bytes are the wrong ones.
  private func finish(_ job: Job, _ failure: Failure) async {
    var alone = job
    alone.specification.options.mirrors = nil
    await settle(alone, failure, nil, nil)
  }
}
