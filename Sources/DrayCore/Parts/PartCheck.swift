// Decides which bytes of a part file are compared with their checksums before it continues, and which are kept.

/// A check of the recorded bytes of a part file. The last written bytes are compared with their checksums; if some
/// differ, all bytes are. Damage thus costs the damaged blocks, not the file.
public struct PartCheck: Sendable, Equatable {
  /// The bytes that are recorded and present.
  public let recorded: SegmentSet
  /// The known checksums.
  public let sums: BlockSums
  /// The extents that are compared in any case.
  public let first: [BlockSums.Extent]
  /// The extents that are compared if one of ``first`` differs.
  public let rest: [BlockSums.Extent]

  /// Creates a check.
  /// - Parameters:
  ///   - recorded: The bytes to continue from, all present.
  ///   - sums: The known checksums of the part file.
  ///   - isSuspect: Whether the file has visibly changed, so that all bytes are compared.
  public init(recorded: SegmentSet, sums: BlockSums, isSuspect: Bool = false) {
    self.recorded = recorded
    self.sums = sums.restricted(to: recorded)
    first = self.sums.writtenLast(isSuspect ? .max : BlockSums.lookBack)
    let chosen = Set(first)
    rest = self.sums.extents.filter { !chosen.contains($0) }
  }

  /// Whether there are no bytes to compare, because none are recorded, or no checksums are known.
  public var isEmpty: Bool { first.isEmpty }

  /// Returns the bytes that may be continued if these extents are damaged. In that case bytes without checksums are
  /// dropped, too.
  public func kept(without bad: [BlockSums.Extent]) -> (segments: SegmentSet, sums: BlockSums) {
    guard !bad.isEmpty else { return (recorded, sums) }
    var good = sums
    for extent in bad { good.remove(extent.segment) }
    return (good.covered, good)
  }
}
