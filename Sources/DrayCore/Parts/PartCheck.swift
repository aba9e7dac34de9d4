// Which bytes of a part file are compared with what was written, before anything is built upon them, and what is left.

/// A look at the bytes that are claimed of a part file: what was written last is compared with its checksums, and where some
/// of that is not what was written, all is. What a disk or somebody has changed costs its blocks and not the file.
public struct PartCheck: Sendable, Equatable {
  /// What is claimed and present.
  public let claims: SegmentSet
  /// What is known of it.
  public let sums: BlockSums
  /// What is compared in any case.
  public let first: [BlockSums.Extent]
  /// What is compared if some of the first is not what was written.
  public let rest: [BlockSums.Extent]

  /// - Parameters:
  ///   - claims: the bytes that are to be built upon, all of them present.
  ///   - sums: what is known of the part file.
  ///   - isSuspect: whether it was seen already that somebody changed the file, so that all is compared.
  public init(claims: SegmentSet, sums: BlockSums, isSuspect: Bool = false) {
    self.claims = claims
    self.sums = sums.restricted(to: claims)
    first = self.sums.writtenLast(isSuspect ? .max : BlockSums.lookBack)
    let chosen = Set(first)
    rest = self.sums.extents.filter { !chosen.contains($0) }
  }

  /// Whether there is nothing to compare: nothing is claimed, or by a dray that kept no checksums.
  public var isEmpty: Bool { first.isEmpty }

  /// What may be built upon when these extents are not what was written. Bytes of which nothing is known are then not
  /// trusted either.
  public func kept(without bad: [BlockSums.Extent]) -> (segments: SegmentSet, sums: BlockSums) {
    guard !bad.isEmpty else { return (claims, sums) }
    var good = sums
    for extent in bad { good.remove(extent.segment) }
    return (good.covered, good)
  }
}
