// Takes over another program's partial file as the beginning of a part file: copies it, compares it with the server's
// bytes, and syncs it to the disk. Nothing is recorded before the bytes are on the disk. If the process crashes before
// that, the other program's file is unchanged, and the job has no bytes.

internal import DrayEngine
internal import Threads

final class AdoptionRun: Sendable {
  private let adoption: Adoption
  private let tools: ReuseTools<AdoptionRefusal>
  private var plan: TransferPlan { tools.plan }

  /// - Parameter cancelFlag: Whether the attempt is cancelled; in that case nothing is taken over.
  init(
    _ adoption: Adoption, _ plan: TransferPlan, _ engine: Engine, _ signal: RunSignal, _ cancelFlag: EndFlag
  ) {
    self.adoption = adoption
    tools = ReuseTools("dray.adopt", plan, engine, signal, cancelFlag)
  }

  /// Takes over the bytes; after a failure, removes the part file.
  func run() async throws(AdoptionError) -> AdoptedBytes {
    guard !plan.recordHasBytes else { throw .refused(.hasBytes) }
    let source = try await tools.blocking { [adoption] () throws(AdoptionError) in try AdoptedFile(adoption) }
    do throws(AdoptionError) {
      return try await compare(source)
    } catch {
      // No checkpoint covers these bytes, so they may be removed.
      await tools.discardPart()
      throw error
    }
  }

  private func compare(_ source: AdoptedFile) async throws(AdoptionError) -> AdoptedBytes {
    let candidates = try await tools.blocking { () throws(AdoptionError) in source.candidates }
    guard !candidates.isEmpty else { throw .refused(.empty) }
    // Before the file is copied, a request for one byte finds out the server's version.
    var known = try await tools.compare(source.file, [0..<1], digestIsKnown: plan.digestIsKnown)
    if let refusal = AdoptionRule.refusal(
      of: adoption, size: known.size, validators: known.validators, offered: known.offered, mode: plan.resume,
      digestIsKnown: plan.digestIsKnown)
    {
      throw .refused(refusal)
    }
    let copy = try await tools.blocking { [self] () throws(AdoptionError) in
      try source.copy(candidates, for: plan) { tools.isCancelled }
    }
    guard !copy.data.isEmpty else { throw .refused(.empty) }
    var trial = AdoptionTrial(copy.data)
    while !trial.places.isEmpty {
      known = try await tools.compare(copy.part, trial.places, known: known, digestIsKnown: plan.digestIsKnown)
      trial.take(differing: known.differing)
    }
    guard !trial.kept.isEmpty else { throw .refused(.differs) }
    let kept = AdoptionRule.usable(trial.kept, validators: known.validators, digestIsKnown: plan.digestIsKnown)
    guard !kept.isEmpty else { throw .refused(.unidentified) }
    let sums = try await tools.blocking { [self] () throws(AdoptionError) in
      try copy.makeDurable(kept, for: plan) { tools.isCancelled }
    }
    return AdoptedBytes(
      checkpoint: Checkpoint(
        segments: kept, sums: sums, size: known.size, validators: known.validators, offered: known.offered,
        provenance: Provenance(known.response.head, from: known.response.finalURL)),
      response: known.response,
      outcome: Adoption.Outcome(taken: kept.count, compared: trial.comparedCount, differing: trial.differing))
  }
}
