// Decides which bytes of a published file that may be damaged are kept.

/// The knowledge for finding the undamaged bytes of a published file.
package enum RepairKnowledge: Sendable, Equatable {
  /// The hashes of the file's pieces, from the document that named the file.
  case pieces(PieceHashes)
  /// The checksums that were computed while the bytes were written.
  case sums(BlockSums)
  /// Only the digest of the file is known, so the whole file is fetched again and verified.
  case nothing
}

/// The result of checking a published file.
package enum RepairVerdict: Sendable, Equatable {
  /// The file is unchanged.
  case sound
  /// These bytes are undamaged; the others must be fetched again.
  case keeps(SegmentSet)
}

/// The decisions of a repair.
package enum RepairRule {
  /// Returns the best means to check a file of `size` bytes; `nil` if nothing is known that would show damage, or that
  /// a repair succeeded.
  package static func knowledge(
    size: Int64, pieces: PieceHashes?, sums: BlockSums, digestIsKnown: Bool
  ) -> RepairKnowledge? {
    if let pieces, pieces.fits(size), size > 0 { return .pieces(pieces) }
    if !sums.isEmpty { return .sums(sums) }
    return digestIsKnown ? .nothing : nil
  }

  /// - Parameters:
  ///   - size: The published length.
  ///   - present: The present length.
  ///   - good: The bytes found undamaged.
  ///   - digestAgrees: Whether the first `size` bytes have the known digest; `nil` if none is known.
  package static func verdict(
    size: Int64, present: Int64, good: SegmentSet, digestAgrees: Bool?
  ) -> RepairVerdict {
    if digestAgrees ?? good.isWhole(size) {
      return present == size ? .sound : .keeps(digestAgrees == true ? SegmentSet(0..<size) : good)
    }
    // If every block matches although the digest does not, the checksums are useless.
    return good.isWhole(size) ? .keeps(SegmentSet()) : .keeps(good)
  }
}

extension PieceHashes {
  /// Returns the pieces of a file, each with its hash.
  package func pieces(of size: Int64) -> [(segment: Segment, hash: String)] {
    hashes.enumerated().map { index, hash in
      let lower = Int64(index).saturatingProduct(length)
      return (lower..<max(lower, min(lower.saturatingSum(length), size)), hash)
    }
  }
}
