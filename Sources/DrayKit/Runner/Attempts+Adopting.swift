// Before the first request for a file: what another program has fetched of it is taken over, or it is said why not.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
extension Attempts {
  /// Takes over what another program has fetched of a job's file, before the first request for the rest of it.
  /// - Returns: what is to be done then.
  func adopting(_ plan: TransferPlan, of job: inout Job) async throws(Failure) -> AttemptPlan {
    guard let adoption = job.specification.options.adopts, adoption.outcome == nil else { return .transfer(plan) }
    var limited = plan
    limited.limiters = limiters(for: job)
    let run = AdoptionRun(adoption, limited, engine, signal)
    running[job.id]?.adoption = run
    defer { running[job.id]?.adoption = nil }
    guard running[job.id]?.cancelled == nil else { return .cancelled }
    do throws(AdoptionError) {
      let bytes = try await run.run()
      return try await taken(bytes, for: plan, of: &job)
    } catch {
      switch error {
      case .refused(let refusal): return try await refused(refusal, plan, &job, isFinal: true)
      case .postponed(let refusal): return try await refused(refusal, plan, &job, isFinal: false)
      case .failed(let failure): throw failure
      case .cancelled: return .cancelled
      }
    }
  }

  /// Claims the bytes that were taken over, and plans the rest.
  private func taken(
    _ bytes: AdoptedBytes, for plan: TransferPlan, of job: inout Job
  ) async throws(AdoptionError) -> AttemptPlan {
    await answered(job, bytes.response, size: bytes.checkpoint.size)
    guard let one = running[job.id], one.cancelled == nil else {
      _ = await disk.attemptRun { () throws(Failure) in
        try? plan.destination.discardPart(plan.partName)
      }
      return .cancelled
    }
    do throws(Failure) {
      try await checkpointer.adopt(job.id, bytes.outcome, bytes.checkpoint)
      job.specification.options.adopts?.outcome = bytes.outcome
      (job.checkpoint, job.response) = (bytes.checkpoint, bytes.response)
      job.fileName = job.fileName ?? one.fixedName
      return try await again(job)
    } catch {
      throw .failed(error)
    }
  }

  /// Goes on without the file, and reports why.
  /// - Parameter isFinal: whether that stands for later attempts, too.
  private func refused(
    _ refusal: AdoptionRefusal, _ plan: TransferPlan, _ job: inout Job, isFinal: Bool
  ) async throws(Failure) -> AttemptPlan {
    let outcome = Adoption.Outcome(refusal: refusal.text, wasEmpty: refusal == .empty)
    if isFinal { try await checkpointer.adopt(job.id, outcome, nil) }
    job.specification.options.adopts?.outcome = outcome
    return try await again(job)
  }

  /// Reports what became of the file, and looks at the disk again: the target may be free no more.
  private func again(_ job: Job) async throws(Failure) -> AttemptPlan {
    running[job.id]?.job = job
    if let adopted = job.specification.options.adopts { emit(job.id, .adopted(adopted)) }
    return try await disk.run { [cookies, destinations] () async throws(Failure) in
      try await AttemptPlan.make(job, cookies, destinations)
    }
  }
}
