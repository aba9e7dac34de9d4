// The checksums of a file's blocks, as zsync's control files list them, and the index in which they are looked up.

/// The checksums of all blocks of a file: a rolling checksum and a strong one for each block, both cut to the number of
/// bytes that the file's author found sufficient.
package struct BlockTable: Sendable {
  /// The form of the checksums.
  package struct Form: Sendable, Equatable {
    /// The length of a block in bytes, a power of two. The last block of a file is filled up with zeros.
    package var blockSize: Int
    /// How many blocks in a row must match, because the cut checksums of one block prove too little: 1 or 2.
    package var run: Int
    /// The number of bytes of a rolling checksum: 1 to 4.
    package var weakBytes: Int
    /// The number of bytes of a strong checksum: 3 to 16.
    package var strongBytes: Int

    /// Creates a form; `nil` if it is out of bounds.
    package init?(blockSize: Int, run: Int, weakBytes: Int, strongBytes: Int) {
      guard BlockTable.blockSizes.contains(blockSize), blockSize & (blockSize - 1) == 0, (1...2).contains(run),
        (1...4).contains(weakBytes), (3...MD4.byteCount).contains(strongBytes)
      else { return nil }
      (self.blockSize, self.run, self.weakBytes, self.strongBytes) = (blockSize, run, weakBytes, strongBytes)
    }

    /// The number of bytes of a block's entry.
    package var stride: Int { weakBytes + strongBytes }

    var weakMask: UInt32 { weakBytes == 4 ? .max : (1 << UInt32(8 * weakBytes)) - 1 }
  }

  /// The lengths of blocks that are accepted. Looking for larger blocks would take too much memory.
  package static let blockSizes = 64...(4 << 20)
  /// The maximum number of blocks of a file.
  package static let mostBlocks = 1 << 25

  /// The form of the checksums.
  package let form: Form
  /// The length of the file in bytes.
  package let size: Int64
  /// The number of blocks.
  package let count: Int
  /// The bytes that contain the entries, and where the entries begin in them.
  private let bytes: [UInt8]
  private let start: Int

  /// Creates the table of a file of `size` bytes, whose entries begin at `start` of `bytes`; `nil` if the entries are
  /// incomplete, or the file has no or too many blocks.
  package init?(_ form: Form, size: Int64, bytes: [UInt8], start: Int = 0) {
    guard size > 0, let count = BlockTable.count(size, form), start >= 0, start <= bytes.count,
      bytes.count - start >= count * form.stride
    else { return nil }
    (self.form, self.size, self.count, self.bytes, self.start) = (form, size, count, bytes, start)
  }

  /// Returns the number of blocks of a file; `nil` if there are too many.
  package static func count(_ size: Int64, _ form: Form) -> Int? {
    let count = size / Int64(form.blockSize) + (size % Int64(form.blockSize) > 0 ? 1 : 0)
    return count <= mostBlocks ? Int(count) : nil
  }

  /// Returns the bytes of a block within the file.
  package func segment(_ block: Int) -> Segment {
    let lower = Int64(block) * Int64(form.blockSize)
    return lower..<min(size, lower + Int64(form.blockSize))
  }

  /// Returns the rolling checksum of a block.
  func weak(_ block: Int) -> UInt32 {
    let place = start + block * form.stride
    var sum: UInt32 = 0
    for index in place..<place + form.weakBytes { sum = sum << 8 | UInt32(bytes[index]) }
    return sum
  }

  /// Whether a block has the strong checksum `sum`, of which only the first bytes are known.
  func hasStrong(_ sum: [UInt8], _ block: Int) -> Bool {
    let place = start + block * form.stride + form.weakBytes
    for index in 0..<form.strongBytes where bytes[place + index] != sum[index] { return false }
    return true
  }

  /// Whether two blocks, and the blocks that must match with them, have the same checksums.
  func areEqual(_ one: Int, _ other: Int) -> Bool {
    let (a, b, length) = (start + one * form.stride, start + other * form.stride, form.run * form.stride)
    for index in 0..<length where bytes[a + index] != bytes[b + index] { return false }
    return true
  }
}

/// The rolling checksum of the bytes in a window: two sums of 16 bits, which follow the window byte by byte.
struct RollingSum {
  private var a: UInt16 = 0
  private var b: UInt16 = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    var left = UInt16(truncatingIfNeeded: bytes.count)
    for byte in bytes {
      a &+= UInt16(byte)
      b &+= left &* UInt16(byte)
      left &-= 1
    }
  }

  /// Moves the window of `count` bytes by one byte.
  @inline(__always)
  mutating func move(out old: UInt8, in new: UInt8, count: Int) {
    a = a &- UInt16(old) &+ UInt16(new)
    b = b &- UInt16(truncatingIfNeeded: count) &* UInt16(old) &+ a
  }

  /// Both sums as one number. A cut checksum has its last bytes.
  var value: UInt32 { UInt32(a) << 16 | UInt32(b) }
}
