// What is there of a file is compared with what was written, before an attempt builds upon it.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Compares what a plan builds upon with what was written; what is not that is fetched again, and is claimed no more
  /// from then on (P2, P12).
  ///
  /// This is done before every attempt: what was written last is in memory anyhow when an attempt has just ended, and a part
  /// file that was stopped cleanly may have been changed since.
  func checked(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    var plan = try await tied(plan)
    guard let part = plan.part, !plan.checkpoint.segments.isEmpty else { return .transfer(plan) }
    let sums = try await store.sums(of: job.id)
    let check = PartCheck(claims: plan.checkpoint.segments, sums: sums, isSuspect: plan.isShort)
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
    // Where nothing is left, the attempt starts over, reports that, and gives the claims up before it writes.
    if plan.part != nil {
      try await checkpointer.reduce(job.id, to: plan.checkpoint, without: bad)
      emit(.damaged(bytes: check.claims.count - plan.checkpoint.segments.count))
    }
    return .transfer(plan)
  }

  /// After a digest that did not match: has only those pieces fetched again that do not have their hash, where hashes are
  /// known, some pieces are good, they can be made durable, and this was not done before.
  /// - Returns: whether it is done.
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
