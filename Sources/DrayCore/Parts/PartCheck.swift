// Decides which bytes of a part file are compared with their checksums before the file is continued, and which of them
// are kept.

/// A check of the recorded bytes of a part file. The last written bytes are compared first; if some of them differ, all
/// bytes are compared. In that case, damage costs only the damaged blocks, and not the whole file.
package struct PartCheck: Sendable, Equatable {
  /// The bytes that are recorded and present.
  package let recorded: SegmentSet
  /// The known checksums.
  package let sums: BlockSums
  /// The extents that are always compared.
  package let first: [BlockSums.Extent]
  /// The extents that are compared if one of ``first`` differs.
  package let rest: [BlockSums.Extent]

  /// Creates a check.
  /// - Parameters:
  ///   - recorded: The bytes to continue from, all present.
  ///   - sums: The known checksums of the part file.
  ///   - isSuspect: Whether the file has visibly changed, so that all bytes are compared.
  package init(recorded: SegmentSet, sums: BlockSums, isSuspect: Bool = false) {
    self.recorded = recorded
    self.sums = sums.restricted(to: recorded)
    first = self.sums.writtenLast(isSuspect ? .max : BlockSums.lookBack)
    let chosen = Set(first)
    rest = self.sums.extents.filter { !chosen.contains($0) }
  }

  /// Whether there are no bytes to compare, because none are recorded, or no checksums are known.
  package var isEmpty: Bool { first.isEmpty }

  /// Returns the bytes from which the job continues if these extents are damaged. If any are, bytes without checksums
  /// are dropped as well.
  package func kept(without bad: [BlockSums.Extent]) -> (segments: SegmentSet, sums: BlockSums) {
    guard !bad.isEmpty else { return (recorded, sums) }
    var good = sums
    for extent in bad { good.remove(extent.segment) }
    return (good.covered, good)
  }
}
