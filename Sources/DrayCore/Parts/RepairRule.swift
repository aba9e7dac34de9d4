// What is done about a published file that may have been damaged since: which of its bytes are kept.

/// What shows which bytes of a published file are undamaged.
public enum RepairKnowledge: Sendable, Equatable {
  /// The hashes of its pieces, from the document that named it.
  case pieces(PieceHashes)
  /// The checksums of the written bytes.
  case sums(BlockSums)
  /// Nothing: only its digest is known, so all of it is fetched again and verified.
  case nothing
}

/// The result of checking a published file.
public enum RepairVerdict: Sendable, Equatable {
  /// It is unchanged.
  case sound
  /// These bytes of it are undamaged; the others must be fetched again.
  case keeps(SegmentSet)
}

/// The decisions of a repair.
public enum RepairRule {
  /// What a file of `size` bytes is compared with, the best first; `nil` if nothing would show that it is damaged, or
  /// that it is right afterwards.
  public static func knowledge(
    size: Int64, pieces: PieceHashes?, sums: BlockSums, digestIsKnown: Bool
  ) -> RepairKnowledge? {
    if let pieces, pieces.fits(size), size > 0 { return .pieces(pieces) }
    if !sums.isEmpty { return .sums(sums) }
    return digestIsKnown ? .nothing : nil
  }

  /// Decides after a check.
  /// - Parameters:
  ///   - size: how long it was published.
  ///   - present: how long it is now.
  ///   - good: the bytes that were found undamaged.
  ///   - digestAgrees: whether its first `size` bytes have the digest that is known; `nil` if none is.
  public static func verdict(
    size: Int64, present: Int64, good: SegmentSet, digestAgrees: Bool?
  ) -> RepairVerdict {
    if digestAgrees ?? good.isWhole(size) {
      return present == size ? .sound : .keeps(digestAgrees == true ? SegmentSet(0..<size) : good)
    }
    // Every block matches but the digest does not: the checksums are useless.
    return good.isWhole(size) ? .keeps(SegmentSet()) : .keeps(good)
  }
}

extension PieceHashes {
  /// The pieces of a file of `size` bytes, with the hash of each.
  public func pieces(of size: Int64) -> [(segment: Segment, hash: String)] {
    hashes.enumerated().map { index, hash in
      let lower = Int64(index).saturatingProduct(length)
      return (lower..<max(lower, min(lower.saturatingSum(length), size)), hash)
    }
  }
}
