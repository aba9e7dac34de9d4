// The overlap at the start of a continuing request (P18).

/// The joint between kept bytes and the bytes of a continuing request.
enum Joint {
  /// The number of bytes before the joint that are requested again and compared.
  static let overlap: Int64 = 64 << 10

  /// Whether a request from `start` requests missing bytes, with at most the overlap before them.
  static func isAtGap(_ start: Int64, of kept: [Range<Int64>]) -> Bool {
    kept.allSatisfy { !$0.contains(start) || start >= $0.upperBound - overlap }
  }
}
