// Cyclic redundancy checks that servers offer, computed eight bytes at a time. CRC32C uses a processor instruction
// instead.

/// A reflected cyclic redundancy check of 32 or 64 bits, with all ones as initial value and final XOR.
public struct CyclicChecksum: Sendable {
  /// Eight tables of 256 entries: the contribution of each byte value, by the number of bytes after it (0 to 7).
  private let tables: [UInt64]
  private let mask: UInt64
  private let byteCount: Int
  private var state: UInt64

  /// Creates the checksum of no bytes.
  /// - Returns: `nil` for any other algorithm.
  public init?(_ algorithm: DigestAlgorithm) {
    switch algorithm {
    case .crc32: self.init(CyclicChecksum.crc32, byteCount: 4)
    case .crc64nvme: self.init(CyclicChecksum.crc64nvme, byteCount: 8)
    case .crc32c, .md5, .sha1, .sha256, .sha384, .sha512: return nil
    }
  }

  private init(_ tables: [UInt64], byteCount: Int) {
    self.tables = tables
    self.byteCount = byteCount
    mask = byteCount == 8 ? .max : 0xFFFF_FFFF
    state = mask
  }

  private static let crc32 = tables(0xEDB8_8320)
  private static let crc64nvme = tables(0x9A6C_9329_AC4B_C9B5)

  private static func tables(_ polynomial: UInt64) -> [UInt64] {
    var tables = [UInt64](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt64(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }

  /// Adds bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var value = state
    var position = 0
    tables.withUnsafeBufferPointer { tables in
      while position + 8 <= bytes.count {
        value ^= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        var next: UInt64 = 0
        for step in 0..<8 { next ^= tables[(7 - step) << 8 | Int(value >> UInt64(step * 8) & 0xFF)] }
        value = next
        position += 8
      }
      while position < bytes.count {
        value = value >> 8 ^ tables[Int((value ^ UInt64(bytes[position])) & 0xFF)]
        position += 1
      }
    }
    state = value
  }

  /// The checksum of the added bytes, most significant byte first.
  public var bytes: [UInt8] {
    let value = state ^ mask
    return (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }
}
