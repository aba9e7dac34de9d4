// The overlap with which a request continues (P18).

/// The joint between the bytes that are kept and those of a request that continues.
enum Joint {
  /// Bytes before the joint that are requested again, and compared.
  static let overlap: Int64 = 64 << 10

  /// Whether a request that begins at `start` asks for missing bytes, with no more before them than the overlap.
  static func isAtGap(_ start: Int64, of kept: [Range<Int64>]) -> Bool {
    kept.allSatisfy { !$0.contains(start) || start >= $0.upperBound - overlap }
  }
}
