// Which bytes of a part file are compared with their checksums before it is continued, and which remain.

/// A check of the claimed bytes of a part file: what was written last is compared with its checksums, and if some
/// of that differs, all is. Damage then costs its blocks and not the file.
public struct PartCheck: Sendable, Equatable {
  /// The bytes that are claimed and present.
  public let claims: SegmentSet
  /// The known checksums.
  public let sums: BlockSums
  /// What is compared in any case.
  public let first: [BlockSums.Extent]
  /// What is compared if some of the first differs.
  public let rest: [BlockSums.Extent]

  /// - Parameters:
  ///   - claims: the bytes to continue from, all of them present.
  ///   - sums: what is known of the part file.
  ///   - isSuspect: whether a change of the file was noticed already, so that all is compared.
  public init(claims: SegmentSet, sums: BlockSums, isSuspect: Bool = false) {
    self.claims = claims
    self.sums = sums.restricted(to: claims)
    first = self.sums.writtenLast(isSuspect ? .max : BlockSums.lookBack)
    let chosen = Set(first)
    rest = self.sums.extents.filter { !chosen.contains($0) }
  }

  /// Whether there is nothing to compare: nothing is claimed, or by a version of dray without checksums.
  public var isEmpty: Bool { first.isEmpty }

  /// The bytes that may be continued if these extents are damaged. Bytes without checksums are then not
  /// trusted either.
  public func kept(without bad: [BlockSums.Extent]) -> (segments: SegmentSet, sums: BlockSums) {
    guard !bad.isEmpty else { return (claims, sums) }
    var good = sums
    for extent in bad { good.remove(extent.segment) }
    return (good.covered, good)
  }
}
