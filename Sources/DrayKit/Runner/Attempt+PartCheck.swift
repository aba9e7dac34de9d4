// Compares the bytes on disk with their checksums before an attempt continues from them.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Compares the bytes that a plan continues from with their checksums. Differing bytes are fetched again, and no
  /// longer claimed (P2, P12).
  ///
  /// Every attempt does this. Right after another attempt the bytes are still in memory, and a part file that was
  /// stopped cleanly may have been changed since.
  func checked(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    var plan = try await tied(plan)
    guard let part = plan.part, !plan.checkpoint.segments.isEmpty else { return .transfer(plan) }
    let sums = try await store.sums(of: job.id)
    let check = PartCheck(claims: plan.checkpoint.segments, sums: sums, isSuspect: plan.isShort)
    guard part.isReadable else {
      // The server has compared the checksums of its parts.
      let (segments, known) = check.kept(without: [])
      plan.build(on: segments, known)
      return .transfer(plan)
    }
    let bad = try await hasher.run { [signal] () throws(Failure) -> [BlockSums.Extent]? in
      let isCancelled = { signal.isStopping }
      guard let bad = BlockComparison.differing(check.first, in: part, isCancelled: isCancelled) else { return nil }
      if bad.isEmpty { return bad }
      return BlockComparison.differing(check.rest, in: part, isCancelled: isCancelled).map { bad + $0 }
    }
    guard let bad else { return .cancelled }
    let (segments, known) = check.kept(without: bad)
    plan.build(on: segments, known)
    guard !bad.isEmpty else { return .transfer(plan) }
    // If no byte is left, the attempt starts over, reports that, and clears the claims before it writes.
    if plan.part != nil {
      try await checkpointer.reduce(job.id, to: plan.checkpoint, without: bad)
      emit(.damaged(bytes: check.claims.count - plan.checkpoint.segments.count))
    }
    return .transfer(plan)
  }

  /// After a digest mismatch, keeps the pieces with matching hashes and has the others fetched again. Requires known
  /// hashes, some valid pieces that can be made durable, and no earlier retry of this kind.
  /// - Returns: whether it was done.
  func keepGoodPieces(in part: any PartStorage, size: Int64) async throws(Failure) -> Bool {
    guard let pieces = job.specification.options.pieces, pieces.fits(size) else { return false }
    let good = try await hasher.run { [signal] () throws(Failure) in
      pieces.good(in: part, size: size) { signal.isStopping }
    }
    guard let good, !good.isEmpty, !good.isWhole(size) else { return false }
    let isFirst = try await store.recordDigestRetry(job.id, .pieces, runner: runner)
    guard isFirst else { return false }
    guard try await checkpointer.reduce(job.id, to: good, of: transfer, or: job.checkpoint) else {
      return false
    }
    emit(.damaged(bytes: size - good.count))
    return true
  }
}
