// Asks the source of a job for a new link when the link has expired.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Returns how an attempt ends that has failed: with a new link, if its source gives one.
  func renewed(after failure: Failure, _ facts: AttemptFacts) async throws(Failure) -> AttemptEnd {
    let (kept, last) = (facts.progress.kept, registry.renewals[job.id])
    // A registry wants a token before it answers, so its source is asked for one before another server for the bytes.
    guard let links = tools.links, let source = job.specification.options.source,
      job.specification.isNamedByDigest || !hasOtherURL(failure, facts)
    else { return .failed(failure) }
    guard RenewalRule.asks(failure, source, kept: kept, last: last) else {
      return .failed(links.explained(failure, job))
    }
    guard let answer = await asked(links, failure.httpStatus ?? 0) else { return .shutdown }
    let offer: RenewalRule.Offer
    switch answer {
    case .failure(let other):
      // The source refuses the whole name, so none of its files can be fetched.
      var reported = failure
      (reported.subject, reported.isOfName) = (source.shownName, true)
      reported.reason += ", and its source gives no new link: \(other.reason)"
      reported.advice = other.advice ?? failure.advice
      if other.recovery == .retry { reported.recovery = .retry }
      return .failed(reported)
    case .success(let found): offer = found
    }
    switch RenewalRule.judge(offer, for: job) {
    case .same: return .failed(links.explained(failure, job))
    case .refuse(let reason):
      return .failed(
        Failure(
          .integrity, "\(source.shownExactName): \(TextSafety.escaped(source.path))",
          "the link has expired (\(StatusRule.name(of: failure.httpStatus ?? 0))), and \(TextSafety.escaped(reason))",
          advice: "`dray get \(source.shownName)` fetches the present version", recovery: .keep))
    case .take: break
    }
    let isOwned = try await worker.run { [store, job, runner] () async throws(Failure) in
      try await store.replaceLink(job.id, runner: runner) { RenewalRule.take(offer, into: &$0) }
    }
    guard isOwned else { throw .leaseLost(job.id) }
    registry.renewals[job.id] = kept
    registry.mirrors[job.id] = nil
    emit(.linkRenewed(source: source.shownExactName, status: failure.httpStatus ?? 0))
    return .linkRenewed(failure, isRetry: RenewalRule.isRetry(kept: kept, last: last))
  }

  /// Whether the job has another URL that was not tried yet.
  private func hasOtherURL(_ failure: Failure, _ facts: AttemptFacts) -> Bool {
    guard var choice = facts.mirrors, case .ask = choice.after(failure, hasNewGround: false) else { return false }
    return true
  }

  /// Asks the source.
  /// - Returns: `nil` if the run ends before the answer.
  private func asked(_ links: LinkSource, _ status: Int) async -> Result<RenewalRule.Offer, Failure>? {
    let (answers, sink) = AsyncStream.makeStream(of: Result<RenewalRule.Offer, Failure>?.self)
    let asking = Task { [job, engine, begunAt] in
      let answer: Result<RenewalRule.Offer, Failure>
      do throws(Failure) { answer = .success(try await links.ask(job, status, engine, begunAt)) } catch {
        answer = .failure(error)
      }
      sink.yield(answer)
      sink.finish()
    }
    let watching = Task { [signal] in
      while !signal.isHalted {
        do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
      }
      sink.yield(nil)
      sink.finish()
    }
    defer {
      asking.cancel()
      watching.cancel()
    }
    for await answer in answers { return answer }
    return nil
  }
}
