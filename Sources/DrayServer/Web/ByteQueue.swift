// Bytes that come in at one end and are used up at the other.

/// Bytes that wait to be understood. Taking from the front costs what is taken, not what is left.
struct ByteQueue: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  /// All that waits. Its indices are good until bytes are added or removed.
  var all: ArraySlice<UInt8> { bytes[start...] }

  /// The byte at a place from the front.
  subscript(place: Int) -> UInt8 { bytes[start + place] }

  /// The bytes at places from the front.
  subscript(places: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(start + places.lowerBound)..<(start + places.upperBound)]
  }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  mutating func removeFirst(_ count: Int) {
    start += count
    if start == bytes.count {
      // Memory of what was large is given back.
      (bytes, start) = ([], 0)
    } else if start > bytes.count / 2, start > 4 << 10 {
      bytes.removeFirst(start)
      start = 0
    }
  }

  /// Takes bytes from the front; all of them without a copy.
  mutating func takeFirst(_ count: Int) -> [UInt8] {
    if start == 0, count == bytes.count {
      defer { bytes = [] }
      return bytes
    }
    defer { removeFirst(count) }
    return Array(self[0..<count])
  }
}
