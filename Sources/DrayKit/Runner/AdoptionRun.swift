// Takes over another program's partial file as the beginning of a part file: copies it, compares it with the server's
// bytes, and syncs it to the disk. Nothing is recorded before the bytes are on the disk. If the process crashes before
// that, the other program's file is unchanged, and the job has no bytes.

internal import DrayEngine
internal import Threads

/// The bytes of another program's file that were copied to a job's part file.
struct AdoptedBytes: Sendable {
  /// The checkpoint that can be recorded for these bytes.
  var checkpoint: Checkpoint
  /// The answer that identified the version.
  var response: ResponseRecord
  /// The outcome for the other program's file, to be recorded.
  var outcome: Adoption.Outcome
}

final class AdoptionRun: Sendable {
  private let adoption: Adoption
  private let plan: TransferPlan
  private let engine: Engine
  private let signal: RunSignal
  private let cancelFlag: EndFlag
  /// The thread on which files are copied, which takes long for a large file.
  private let executor = BlockingExecutor("dray.adopt")

  /// - Parameter cancelFlag: Whether the attempt is cancelled; in that case nothing is taken over.
  init(
    _ adoption: Adoption, _ plan: TransferPlan, _ engine: Engine, _ signal: RunSignal, _ cancelFlag: EndFlag
  ) {
    (self.adoption, self.plan, self.engine, self.signal) = (adoption, plan, engine, signal)
    self.cancelFlag = cancelFlag
  }

  private var isCancelled: Bool { signal.isStopping || cancelFlag.isSet }

  /// Takes over the bytes; after a failure, removes the part file.
  func run() async throws(AdoptionError) -> AdoptedBytes {
    guard !plan.recordHasBytes else { throw .refused(.hasBytes) }
    let source = try await blocking { [adoption] () throws(AdoptionError) in try AdoptedFile(adoption) }
    do throws(AdoptionError) {
      return try await compare(source)
    } catch {
      // No checkpoint covers these bytes, so they may be removed.
      _ = await executor.attemptRun { [plan] () throws(Failure) in
        try? plan.destination.discardPart(plan.partName)
      }
      throw error
    }
  }

  private func compare(_ source: AdoptedFile) async throws(AdoptionError) -> AdoptedBytes {
    let candidates = try await blocking { () throws(AdoptionError) in source.candidates }
    guard !candidates.isEmpty else { throw .refused(.empty) }
    // Before the file is copied, a request for one byte finds out the server's version.
    var known = try await ask(source.file, [0..<1], nil)
    if let refusal = AdoptionRule.refusal(
      of: adoption, size: known.size, validators: known.validators, offered: known.offered, mode: plan.resume,
      digestIsKnown: plan.digestIsKnown)
    {
      throw .refused(refusal)
    }
    let copy = try await blocking { [self] () throws(AdoptionError) in
      try source.copy(candidates, for: plan) { isCancelled }
    }
    guard !copy.data.isEmpty else { throw .refused(.empty) }
    var trial = AdoptionTrial(copy.data)
    while !trial.places.isEmpty {
      known = try await ask(copy.part, trial.places, known)
      trial.take(differing: known.differing)
    }
    guard !trial.kept.isEmpty else { throw .refused(.differs) }
    let kept = AdoptionRule.usable(trial.kept, validators: known.validators, digestIsKnown: plan.digestIsKnown)
    guard !kept.isEmpty else { throw .refused(.unidentified) }
    let sums = try await blocking { [self] () throws(AdoptionError) in
      try copy.makeDurable(kept, for: plan) { isCancelled }
    }
    return AdoptedBytes(
      checkpoint: Checkpoint(
        segments: kept, sums: sums, size: known.size, validators: known.validators, offered: known.offered,
        provenance: Provenance(known.response.head, from: known.response.finalURL)),
      response: known.response,
      outcome: Adoption.Outcome(taken: kept.count, compared: trial.comparedCount, differing: trial.differing))
  }

  /// Compares samples with the server's file.
  private func ask(
    _ file: any StoredBytes, _ places: [Segment], _ known: SampleReport?
  ) async throws(AdoptionError) -> SampleReport {
    var task = SampleTask(plan.request, file, places)
    (task.cookies, task.limiters, task.verify) = (plan.cookies, plan.limiters, plan.verify)
    (task.known, task.digestIsKnown, task.retried) = (known, plan.digestIsKnown, plan.retried)
    task.isCancelled = { [self] in isCancelled }
    switch await engine.compare(task) {
    case .compared(let report): return report
    case .notServed: throw .refused(.notServed)
    case .changed(let reason): throw .refused(.unsteady(reason))
    case .cancelled: throw .cancelled
    // The server may still answer a request for the whole file. If the server refuses that request as well, its failure
    // says more than this one.
    case .failed(let failure) where failure.httpStatus != nil && failure.recovery != .retry:
      throw .postponed(.refused(failure.reason))
    case .failed(let failure) where failure.kind == .protocolViolation && failure.recovery != .retry:
      throw .refused(.refused(failure.reason))
    case .failed(let failure): throw .failed(failure)
    }
  }

  private func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(AdoptionError) -> Value
  ) async throws(AdoptionError) -> Value {
    let result = await withCheckedContinuation { continuation in
      executor.start {
        let result: Result<Value, AdoptionError>
        do throws(AdoptionError) { result = .success(try body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}
