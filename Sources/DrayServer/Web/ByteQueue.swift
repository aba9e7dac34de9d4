// A queue of received bytes.

/// Received bytes that are not parsed yet. Removing bytes from the front costs the removed bytes, not the remaining
/// ones.
struct ByteQueue: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  /// All bytes. The indices are valid until bytes are added or removed.
  var all: ArraySlice<UInt8> { bytes[start...] }

  /// The byte at an offset from the front.
  subscript(place: Int) -> UInt8 { bytes[start + place] }

  /// The bytes at offsets from the front.
  subscript(places: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(start + places.lowerBound)..<(start + places.upperBound)]
  }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  mutating func removeFirst(_ count: Int) {
    start += count
    if start == bytes.count {
      // Frees the memory of a large request.
      (bytes, start) = ([], 0)
    } else if start > bytes.count / 2, start > 4 << 10 {
      bytes.removeFirst(start)
      start = 0
    }
  }

  /// Removes and returns bytes from the front. Does not copy if these are all.
  mutating func takeFirst(_ count: Int) -> [UInt8] {
    if start == 0, count == bytes.count {
      defer { bytes = [] }
      return bytes
    }
    defer { removeFirst(count) }
    return Array(self[0..<count])
  }
}
