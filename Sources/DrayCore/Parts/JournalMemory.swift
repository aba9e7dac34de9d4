// The journal of a part file in memory. It records which bytes its process has written, so that the death of the
// process loses nothing (P21).
//
// The memory is a shared mapping of a file. Whatever kills the process, the system keeps what was stored in the
// mapping; only the last store may be half done. Therefore each record and each header has a checksum, and a header
// becomes valid only after its records are there.

/// The journal of a part file in raw memory.
///
/// The memory has two halves. Each half has a header, a text that describes the version of the bytes, and records:
/// checksums of written bytes, in the order of writing. The half with the higher number is valid. A new text begins the
/// other half, and so does the removal of records that are no longer needed.
public struct JournalMemory {
  /// The greatest length of the text in bytes.
  public static let textLimit = (16 << 10) - headerSize
  /// The greatest number of records in a half.
  public static let recordLimit = 3584
  /// The length of the memory in bytes.
  public static let size = 2 * half

  private static let magic: UInt64 = 0x3174_726e_6a79_7264
  private static let headerSize = 24
  private static let recordSize = 32
  private static let recordsStart = headerSize + textLimit
  private static let half = recordsStart + recordLimit * recordSize

  private let memory: UnsafeMutableRawBufferPointer
  private var number: UInt32 = 0
  /// The number of records in the current half.
  private var count = 0

  /// - Parameter memory: ``size`` bytes of zeros.
  public init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  // MARK: Writing

  /// Begins the other half with a text and the first records. The present half stays valid until all of this is in
  /// memory.
  /// - Parameter extents: At most ``recordLimit``.
  /// - Returns: `false` if the text or the records are too long. The present half then stays valid.
  public mutating func begin(_ text: [UInt8], _ extents: [BlockSums.Extent]) -> Bool {
    guard text.count <= JournalMemory.textLimit, extents.count <= JournalMemory.recordLimit else { return false }
    (number, count) = (number &+ 1, 0)
    for extent in extents { put(extent) }
    let here = UnsafeMutableRawBufferPointer(rebasing: memory[JournalMemory.start(number)...])
    UnsafeMutableRawBufferPointer(rebasing: here[JournalMemory.headerSize...]).copyBytes(from: text)
    here.storeBytes(of: JournalMemory.magic.littleEndian, toByteOffset: 0, as: UInt64.self)
    here.storeBytes(of: number.littleEndian, toByteOffset: 8, as: UInt32.self)
    here.storeBytes(of: UInt32(count).littleEndian, toByteOffset: 12, as: UInt32.self)
    here.storeBytes(of: UInt32(text.count).littleEndian, toByteOffset: 16, as: UInt32.self)
    let check = JournalMemory.check(UnsafeRawBufferPointer(here), textLength: text.count)
    here.storeBytes(of: check.littleEndian, toByteOffset: 20, as: UInt32.self)
    return true
  }

  /// Records written bytes. Call ``begin(_:_:)`` first.
  /// - Returns: `false` if there is no space; call ``begin(_:_:)`` to make some.
  public mutating func append(_ extent: BlockSums.Extent) -> Bool {
    guard number > 0, count < JournalMemory.recordLimit else { return false }
    put(extent)
    return true
  }

  private mutating func put(_ extent: BlockSums.Extent) {
    let position = JournalMemory.start(number) + JournalMemory.recordsStart + count * JournalMemory.recordSize
    let here = UnsafeMutableRawBufferPointer(rebasing: memory[position..<position + JournalMemory.recordSize])
    here.storeBytes(of: extent.lower.littleEndian, toByteOffset: 0, as: Int64.self)
    here.storeBytes(of: extent.upper.littleEndian, toByteOffset: 8, as: Int64.self)
    here.storeBytes(of: extent.sum.value.littleEndian, toByteOffset: 16, as: UInt32.self)
    here.storeBytes(of: number.littleEndian, toByteOffset: 20, as: UInt32.self)
    let check = JournalMemory.check(record: UnsafeRawBufferPointer(here))
    here.storeBytes(of: check.littleEndian, toByteOffset: 24, as: UInt32.self)
    count += 1
  }

  private static func start(_ number: UInt32) -> Int { number % 2 == 0 ? 0 : half }

  /// Returns the checksum of a header (without its checksum field) and of the text.
  private static func check(_ half: UnsafeRawBufferPointer, textLength: Int) -> UInt32 {
    var sum = CRC32C(of: UnsafeRawBufferPointer(rebasing: half[..<20]))
    sum.update(UnsafeRawBufferPointer(rebasing: half[headerSize..<headerSize + textLength]))
    return sum.value
  }

  private static func check(record: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C(of: UnsafeRawBufferPointer(rebasing: record[..<24])).value
  }

  // MARK: Reading

  /// The contents of a journal.
  public struct Content: Sendable, Equatable {
    /// Describes the version of the bytes.
    public var text: [UInt8]
    /// The checksums of the written bytes. Later records replace earlier ones for the same bytes.
    public var sums: BlockSums
  }

  /// Reads the journal that a process left behind.
  /// - Returns: `nil` if there is no journal, no half of it is intact, or no bytes are recorded as valid.
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Content? {
    guard bytes.count == size else { return nil }
    let halves = [0, half].compactMap { readHalf(UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + half])) }
    guard let newest = halves.max(by: { $0.number < $1.number }), !newest.content.text.isEmpty else { return nil }
    return newest.content
  }

  private static func readHalf(_ half: UnsafeRawBufferPointer) -> (number: UInt32, content: Content)? {
    func value(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: half.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let (number, least, length) = (value(8), Int(value(12)), Int(value(16)))
    guard UInt64(littleEndian: half.loadUnaligned(as: UInt64.self)) == magic, length <= textLimit,
      value(20) == check(half, textLength: length)
    else { return nil }
    var content = Content(text: Array(half[headerSize..<headerSize + length]), sums: BlockSums())
    for index in 0..<recordLimit {
      let position = recordsStart + index * recordSize
      let record = UnsafeRawBufferPointer(rebasing: half[position..<position + recordSize])
      func value(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
      let lower = Int64(littleEndian: record.loadUnaligned(as: Int64.self))
      let upper = Int64(littleEndian: record.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      guard value(20) == number, value(24) == check(record: record), 0..<upper ~= lower else {
        return index >= least ? (number, content) : nil
      }
      content.sums.insert(lower..<upper, CRC32C(value(16)))
    }
    return (number, content)
  }
}
