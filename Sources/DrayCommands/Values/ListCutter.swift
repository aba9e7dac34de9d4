// Cuts a long list of URLs into pieces that can be queued one after another. The code in this file has no effects
// outside its values.

internal import DrayKit

/// Holds the bytes of a list that were read and do not belong to a returned piece yet.
struct ListCutter {
  private var rest: [UInt8] = []
  private var isBegun = false
  /// The number of lines in the pieces that were returned.
  private(set) var lines = 0

  /// The maximum length of one entry with its options in bytes.
  static let limit = 64 << 20

  /// Takes the next bytes of the list, and returns the next piece.
  /// - Parameter isEnd: Whether these are the last bytes.
  /// - Returns: All complete entries so far; empty if there is none. A line that begins with a blank belongs to the
  ///   entry above it, so an entry is complete only when the next one has begun.
  /// - Throws: Kind `usage` for an entry that is too long.
  mutating func take(_ bytes: [UInt8], isEnd: Bool) throws(Failure) -> [UInt8] {
    rest += bytes
    if !isBegun {
      if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
      isBegun = true
    }
    guard !isEnd else { return cut(at: rest.count) }
    var index = rest.count - 1
    while index > 0 {
      if rest[index - 1] == UInt8(ascii: "\n"), ![0x20, 0x09, 0x0D, 0x0A].contains(rest[index]) {
        return cut(at: index)
      }
      index -= 1
    }
    guard rest.count <= ListCutter.limit else {
      throw OptionValue.bad("-i", "an entry after line \(lines) is longer than \(ListCutter.limit >> 20) MiB")
    }
    return []
  }

  private mutating func cut(at index: Int) -> [UInt8] {
    let piece = Array(rest[..<index])
    rest.removeFirst(index)
    lines += piece.count { $0 == UInt8(ascii: "\n") }
    return piece
  }
}
