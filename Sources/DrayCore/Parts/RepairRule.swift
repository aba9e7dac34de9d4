// Decides which bytes to keep of a published file that may be damaged.

/// The means to find the undamaged bytes of a published file.
public enum RepairKnowledge: Sendable, Equatable {
  /// The hashes of the file's pieces, from the document that named the file.
  case pieces(PieceHashes)
  /// The checksums of the written bytes.
  case sums(BlockSums)
  /// Only the digest of the file is known, so the whole file is fetched again and verified.
  case nothing
}

/// The result of checking a published file.
public enum RepairVerdict: Sendable, Equatable {
  /// The file is unchanged.
  case sound
  /// These bytes are undamaged; the others must be fetched again.
  case keeps(SegmentSet)
}

/// The decisions of a repair.
public enum RepairRule {
  /// Returns the best means to check a file of `size` bytes; `nil` if no known fact shows damage, or the success of a
  /// repair.
  public static func knowledge(
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
  public static func verdict(
    size: Int64, present: Int64, good: SegmentSet, digestAgrees: Bool?
  ) -> RepairVerdict {
    if digestAgrees ?? good.isWhole(size) {
      return present == size ? .sound : .keeps(digestAgrees == true ? SegmentSet(0..<size) : good)
    }
    // If every block matches but the digest does not, the checksums are useless.
    return good.isWhole(size) ? .keeps(SegmentSet()) : .keeps(good)
  }
}

extension PieceHashes {
  /// Returns the pieces of a file, each with its hash.
  public func pieces(of size: Int64) -> [(segment: Segment, hash: String)] {
    hashes.enumerated().map { index, hash in
      let lower = Int64(index).saturatingProduct(length)
      return (lower..<max(lower, min(lower.saturatingSum(length), size)), hash)
    }
  }
}
