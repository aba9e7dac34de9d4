// Adopts another program's partial file before the first request, or reports why not.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Adopts another program's partial file before the first request for the rest.
  /// - Returns: the next step.
  func adopting(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    guard let adoption = job.specification.options.adopts, adoption.outcome == nil else { return .transfer(plan) }
    var limited = plan
    limited.limiters = limiters
    let run = AdoptionRun(adoption, limited, engine, signal)
    self.adoption = run
    defer { self.adoption = nil }
    guard !isCancelled else { return .cancelled }
    do throws(AdoptionError) {
      let bytes = try await run.run()
      return try await taken(bytes, for: plan)
    } catch {
      switch error {
      case .refused(let refusal): return try await refused(refusal, isFinal: true)
      case .postponed(let refusal): return try await refused(refusal, isFinal: false)
      case .failed(let failure): throw failure
      case .cancelled: return .cancelled
      }
    }
  }

  /// Claims the adopted bytes, and plans the rest.
  private func taken(_ bytes: AdoptedBytes, for plan: TransferPlan) async throws(AdoptionError) -> AttemptPlan {
    await answered(bytes.response, size: bytes.checkpoint.size)
    guard !isCancelled else {
      _ = await disk.attemptRun { () throws(Failure) in
        try? plan.destination.discardPart(plan.partName)
      }
      return .cancelled
    }
    do throws(Failure) {
      try await checkpointer.adopt(job.id, bytes.outcome, bytes.checkpoint)
      job.specification.options.adopts?.outcome = bytes.outcome
      (job.checkpoint, job.response) = (bytes.checkpoint, bytes.response)
      job.fileName = job.fileName ?? fixedName
      return try await again()
    } catch {
      throw .failed(error)
    }
  }

  /// Continues without the file, and reports why.
  /// - Parameter isFinal: whether later attempts skip the adoption, too.
  private func refused(_ refusal: AdoptionRefusal, isFinal: Bool) async throws(Failure) -> AttemptPlan {
    let outcome = Adoption.Outcome(refusal: refusal.text, wasEmpty: refusal == .empty)
    if isFinal { try await checkpointer.adopt(job.id, outcome, nil) }
    job.specification.options.adopts?.outcome = outcome
    return try await again()
  }

  /// Reports the outcome, and checks the disk again: the target may have been taken.
  private func again() async throws(Failure) -> AttemptPlan {
    if let adopted = job.specification.options.adopts { emit(.adopted(adopted)) }
    return try await look()
  }
}
