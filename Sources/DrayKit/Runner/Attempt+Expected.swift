// Refetched bytes must equal the damaged ones that they replace: a server may have another version under the same
// validators, and the file would mix two versions (P2).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Returns a plan that accepts only the version of the published file under repair. With mirrors, which have
  /// different validators, only the checksums decide.
  func tied(_ plan: TransferPlan) async throws(Failure) -> TransferPlan {
    let options = job.specification.options
    guard options.repairs != nil, options.mirrors?.isEmpty ?? true else { return plan }
    var plan = plan
    plan.expected.version = try await store.expected(of: job.id)?.repaired
    return plan
  }

  /// The result of checking refetched bytes.
  enum Refetched {
    /// They match, or there were none.
    case right
    /// They belong to another version, or are wrong again.
    case wrong(Failure, isRepair: Bool)
    case cancelled
  }

  /// Compares refetched bytes with the known checksums. A known digest proves more, and replaces this check.
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
      // The digest that proved the repaired bytes was removed from the job.
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
