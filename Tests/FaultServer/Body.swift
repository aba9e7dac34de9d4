// The body of an answer: pieces end to end, readable by range, so that its size costs no memory.

/// A sequence of bytes out of several sources.
struct Body: Sendable {
  private enum Piece: Sendable {
    case content(FaultServer.Content, Range<Int64>)
    case bytes([UInt8])
    case filler(Int)

    var count: Int64 {
      switch self {
      case .content(_, let range): Int64(range.count)
      case .bytes(let bytes): Int64(bytes.count)
      case .filler(let count): Int64(count)
      }
    }

    func bytes(in range: Range<Int64>) -> [UInt8] {
      switch self {
      case .content(let content, let whole):
        let first = whole.lowerBound + range.lowerBound
        return content.bytes(in: first..<first + Int64(range.count))
      case .bytes(let bytes):
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
      case .filler:
        return Array(repeating: UInt8(ascii: "X"), count: range.count)
      }
    }
  }

  private var pieces: [Piece] = []

  /// The number of bytes.
  private(set) var length: Int64 = 0

  /// Adds bytes of a content, clamped to its size.
  mutating func append(_ content: FaultServer.Content, _ range: Range<Int64>) {
    append(.content(content, range.clamped(to: 0..<content.size)))
  }

  /// Adds bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) { append(.bytes(Array(bytes))) }

  /// Adds `count` bytes of garbage.
  mutating func append(filler count: Int) { append(.filler(count)) }

  /// Replaces the bytes from `position` on by garbage.
  mutating func fill(from position: Int64) {
    let count = length - position
    guard count > 0 else { return }
    let old = pieces
    (pieces, length) = ([], 0)
    for piece in old where length < position {
      let rest = position - length
      switch piece {
      case .content(let content, let range):
        append(content, range.lowerBound..<min(range.upperBound, range.lowerBound + rest))
      case .bytes(let bytes): append(bytes.prefix(Int(rest)))
      case .filler(let filler): append(filler: min(filler, Int(rest)))
      }
    }
    append(filler: Int(count))
  }

  private mutating func append(_ piece: Piece) {
    pieces.append(piece)
    length += piece.count
  }

  /// The bytes of `range`.
  func bytes(in range: Range<Int64>) -> [UInt8] {
    var result: [UInt8] = []
    var start: Int64 = 0
    for piece in pieces {
      let part = range.clamped(to: start..<start + piece.count)
      if !part.isEmpty { result += piece.bytes(in: part.lowerBound - start..<part.upperBound - start) }
      start += piece.count
    }
    return result
  }
}
