// Finds out which bytes of a partial file were written, because a program that reserves the space of a file leaves
// zeros.

/// Finds the stretches of a file that are not zeros. It takes the file's bytes in ascending order.
package struct DataScan: Sendable {
  /// The longest run of zeros that counts as data; longer runs count as unwritten.
  package static let longestZeros: Int64 = 32 << 10
  /// How many bytes are examined together.
  private static let step = 4 << 10

  private var closed: [Segment] = []
  /// The present stretch, up to its last nonzero byte.
  private var open: (lower: Int64, upper: Int64)?
  /// The position of the first byte taken, and the position after the last.
  private var first: Int64?
  private var next: Int64 = 0

  /// Creates a scan that has taken no bytes.
  package init() {}

  /// The stretches so far, ascending. Each ends with a nonzero byte, and begins with a nonzero byte or at the start of
  /// the file.
  package var found: [Segment] { closed + (open.map { [$0.lower..<$0.upper] } ?? []) }

  /// Takes the bytes from `position` on. A gap before these bytes separates stretches.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
    if position != next { close() }
    first = first ?? position
    next = position + Int64(bytes.count)
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + DataScan.step, bytes.count)
      if let data = DataScan.data(in: UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) {
        note(position + Int64(offset + data.lowerBound)..<position + Int64(offset + data.upperBound))
      }
      offset = end
    }
  }

  private mutating func note(_ data: Segment) {
    if let open, data.lowerBound - open.upper > DataScan.longestZeros { close() }
    // Programs fetch a file from its start, so a few zeros at the start count as data.
    let isBeginning = closed.isEmpty && first == 0 && data.lowerBound <= DataScan.longestZeros
    open = (open?.lower ?? (isBeginning ? 0 : data.lowerBound), data.upperBound)
  }

  private mutating func close() {
    if let open { closed.append(open.lower..<open.upper) }
    open = nil
  }

  /// The range from the first to the last nonzero byte; `nil` if all are zero.
  private static func data(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var first = 0
    // Zeros are frequent, so eight of them are skipped at once.
    while first + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: first, as: UInt64.self) == 0 { first += 8 }
    while first < bytes.count, bytes[first] == 0 { first += 1 }
    guard first < bytes.count else { return nil }
    var last = bytes.count
    while bytes[last - 1] == 0 { last -= 1 }
    return first..<last
  }
}
