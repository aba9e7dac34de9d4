// Which bytes of a partial file were written at all: a program that reserves a file before it fetches it leaves zeros.

/// Finds the stretches of a file that are not zeros, as its bytes are handed in, ascending.
public struct DataScan: Sendable {
  /// Zeros in a row that count as bytes of the file; more of them were never written, as far as anybody can know.
  public static let longestZeros: Int64 = 32 << 10
  /// Bytes that are looked at together.
  private static let step = 4 << 10

  private var closed: [Segment] = []
  /// Where the present stretch begins, and one past its last byte other than zero.
  private var open: (lower: Int64, upper: Int64)?
  /// Where what was handed in begins, and where it ends.
  private var first: Int64?
  private var next: Int64 = 0

  /// Nothing was handed in.
  public init() {}

  /// The stretches so far, ascending: each ends with a byte that is not zero, and begins with one, or the file.
  public var found: [Segment] { closed + (open.map { [$0.lower..<$0.upper] } ?? []) }

  /// Receives the bytes from `position` on. Those between it and the last ones are not of the file.
  public mutating func take(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
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
    // Every program begins at the beginning: a few zeros there are the file's.
    let isBeginning = closed.isEmpty && first == 0 && data.lowerBound <= DataScan.longestZeros
    open = (open?.lower ?? (isBeginning ? 0 : data.lowerBound), data.upperBound)
  }

  private mutating func close() {
    if let open { closed.append(open.lower..<open.upper) }
    open = nil
  }

  /// From the first to the last byte that is not zero; `nil` if all are.
  private static func data(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var first = 0
    // Zeros are what there is much of: eight at once.
    while first + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: first, as: UInt64.self) == 0 { first += 8 }
    while first < bytes.count, bytes[first] == 0 { first += 1 }
    guard first < bytes.count else { return nil }
    var last = bytes.count
    while bytes[last - 1] == 0 { last -= 1 }
    return first..<last
  }
}
