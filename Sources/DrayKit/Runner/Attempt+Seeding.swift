// Takes bytes from the seeds of a job before the first request for the rest.

internal import DrayEngine
internal import Threads

extension Attempt {
  /// Takes bytes from the seeds of the job, and records them.
  /// - Returns: The next step.
  func seeding(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    guard let seeding = job.specification.options.seeding, plan.request.isSafe,
      Scheme(plan.request.url)?.speaksHTTP ?? false, plan.destination.traits.holdsFiles,
      // A record of bytes that are lost must be cleared first, which the transfer does.
      plan.part != nil || !plan.recordHasBytes
    else { return .transfer(plan) }
    guard !isCancelled else { return .cancelled }
    var limited = plan
    limited.limiters = limiters
    let options = job.specification.options
    let isProved = options.digest != nil && options.digestSource != .zsync
    let run = SeedRun(seeding, isProved: isProved, limited, engine, signal, cancelFlag)
    do throws(SeedError) {
      // Otherwise an unchanged file would be put together again. The transfer asks once more, and reports the answer.
      if let condition = plan.condition, !plan.recordHasBytes,
        let name = job.fileName ?? job.specification.request.cache?.ifChanged?.name,
        try await run.isUpToDate(condition, name)
      {
        return .transfer(plan)
      }
      emit(.seeded(seeding))
      let bytes = try await run.run()
      return try await seeded(bytes, for: plan)
    } catch {
      guard let refusal = try error.refusal() else { return .cancelled }
      return try await seedsRefused(refusal.reason, isFinal: refusal.isFinal)
    }
  }

  /// Records the bytes of seeds, and plans the transfer of the rest.
  private func seeded(_ bytes: SeededBytes, for plan: TransferPlan) async throws(SeedError) -> AttemptPlan {
    await answered(bytes.response, size: bytes.checkpoint.size)
    guard !isCancelled else {
      if plan.part == nil {
        _ = await disk.attemptRun { () throws(Failure) in try? plan.destination.discardPart(plan.partName) }
      }
      return .cancelled
    }
    do throws(Failure) {
      try await checkpointer.seed(job.id, bytes.outcome, bytes.checkpoint)
      job.specification.options.seeding?.outcome = bytes.outcome
      (job.checkpoint, job.response) = (bytes.checkpoint, bytes.response)
      job.fileName = job.fileName ?? state.names.fixed
      return try await afterSeeds()
    } catch {
      throw .failed(error)
    }
  }

  /// Continues without seeds, and reports the reason.
  /// - Parameter isFinal: Whether later attempts must not try the seeds either.
  private func seedsRefused(_ refusal: SeedRefusal, isFinal: Bool) async throws(Failure) -> AttemptPlan {
    let outcome = Seeding.Outcome(refusal)
    if isFinal { try await checkpointer.seed(job.id, outcome, nil) }
    job.specification.options.seeding?.outcome = outcome
    return try await afterSeeds()
  }

  /// Reports the outcome, and examines the destination again, because the target may be taken by now.
  private func afterSeeds() async throws(Failure) -> AttemptPlan {
    if let seeding = job.specification.options.seeding { emit(.seeded(seeding)) }
    return try await look()
  }
}
