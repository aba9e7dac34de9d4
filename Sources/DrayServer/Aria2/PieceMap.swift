// Describes a job's segments as pieces, as clients draw them (manual, `aria2.tellStatus`, keys `bitfield`,
// `pieceLength`, `numPieces`).

internal import DrayCore

/// The pieces of a file, and which of these are complete.
struct PieceMap: Sendable, Equatable {
  /// The length of each piece in bytes; the last piece may be shorter.
  let pieceLength: Int64
  /// The number of pieces; 0 if the length of the file is unknown.
  let count: Int
  /// One bit per piece, starting with the highest bit of the first byte.
  let bits: [UInt8]

  /// The length of a piece as in aria2, unless the file is too long for that.
  static let usualLength: Int64 = 1 << 20
  /// The maximum number of pieces, because a screen has no more pixels to show them. A longer file has longer pieces.
  static let mostPieces: Int64 = 1 << 14

  /// - Parameter size: The length of the file; `nil` if it is unknown.
  init(_ segments: SegmentSet, size: Int64?) {
    let (size, length, count) = PieceMap.pieces(of: size)
    (pieceLength, self.count) = (length, count)
    var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
    for segment in segments.segments {
      let first = Int((segment.lowerBound + length - 1) / length)
      let end = segment.upperBound >= size ? count : Int(segment.upperBound / length)
      for piece in first..<max(first, end) { bits[piece / 8] |= 0x80 >> UInt8(piece % 8) }
    }
    self.bits = bits
  }

  /// Returns the length of a file (0 if it is unknown), and the length and number of its pieces.
  static func pieces(of size: Int64?) -> (size: Int64, length: Int64, count: Int) {
    let size = max(0, size ?? 0)
    var length = PieceMap.usualLength
    while (size - 1) / length >= PieceMap.mostPieces { length *= 2 }
    return (size, length, Int(size / length + (size % length == 0 ? 0 : 1)))
  }

  /// The bits as hexadecimal digits; `nil` if there are no pieces.
  var text: String? {
    guard !bits.isEmpty else { return nil }
    return String(unsafeUninitializedCapacity: 2 * bits.count) { text in
      for (place, byte) in bits.enumerated() {
        text[2 * place] = PieceMap.digit(byte >> 4)
        text[2 * place + 1] = PieceMap.digit(byte & 15)
      }
      return 2 * bits.count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }
}
