// Bytes that were fetched again, as what was there of them was bad, must be the ones that were there: a server may have others by
// now under the same validators, and the file would be of two versions (P2).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// A plan that takes bytes of one version only, where a published file is repaired. With mirrors, of which each has
  /// validators of its own, the checksums decide alone.
  func tied(_ plan: TransferPlan) async throws(Failure) -> TransferPlan {
    let options = job.specification.options
    guard options.repairs != nil, options.mirrors?.isEmpty ?? true else { return plan }
    var plan = plan
    plan.expected.version = try await store.expected(of: job.id)?.repaired
    return plan
  }

  /// What is done about a whole file whose bytes were bad once and were fetched again.
  enum Refetched {
    /// They are what they must be, or none were.
    case right
    /// They are of another version, or wrong again.
    case wrong(Failure, isRepair: Bool)
    case cancelled
  }

  /// Compares what was fetched again with what is known of it. A digest that is known proves more.
  func refetched(_ part: any PartStorage, size: Int64) async throws(Failure) -> Refetched {
    guard job.specification.options.digest == nil else { return .right }
    let expected = try await store.expected(of: job.id)
    guard let expected else { return .right }
    let pieces = expected.repaired == nil ? nil : job.specification.options.pieces
    let isRight = try await hasher.run { [signal] () throws(Failure) -> Bool? in
      let isCancelled = { signal.isStopping }
      if let pieces, pieces.fits(size) {
        return pieces.good(in: part, size: size, isCancelled: isCancelled)?.isWhole(size)
      }
      // The digest that proved the bytes of the repair was removed from the job.
      if expected.repaired != nil, expected.sums.isEmpty { return false }
      return BlockComparison.differing(expected.sums.extents, in: part, isCancelled: isCancelled)?.isEmpty
    }
    switch isRight {
    case nil: return .cancelled
    case true?: return .right
    case false?:
      return .wrong(
        Failure(
          .integrity, job.specification.request.url.description,
          "the server's bytes for the damaged blocks differ from the original: it has another version of the file",
          advice: "the file is unchanged; remove it, and \(.retry) fetches the server's version"),
        isRepair: expected.repaired != nil)
    }
  }
}
