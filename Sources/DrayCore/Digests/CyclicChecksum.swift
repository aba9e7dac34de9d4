// The cyclic redundancy checks that servers offer, except CRC-32C, which has a separate type.

internal import CChecksum

/// A reflected cyclic redundancy check of 32 or 64 bits, with all ones as initial value and final XOR.
public struct CyclicChecksum: Sendable {
  private let byteCount: Int
  /// The checksum of the bytes so far.
  private var sum: UInt64 = 0

  /// Creates the checksum of no bytes.
  /// - Returns: `nil` for any other algorithm.
  public init?(_ algorithm: DigestAlgorithm) {
    switch algorithm {
    case .crc32: byteCount = 4
    case .crc64nvme: byteCount = 8
    case .crc32c, .md5, .sha1, .gitSHA1, .sha256, .sha384, .sha512: return nil
    }
  }

  /// Adds bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if byteCount == 8 {
      sum = dray_crc64nvme(sum, bytes.baseAddress, bytes.count)
    } else {
      sum = CyclicChecksum.crc32(sum, bytes)
    }
  }

  /// The checksum of the added bytes, most significant byte first.
  public var bytes: [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  // MARK: CRC-32

  /// Eight tables of 256 entries: the contribution of each byte value, by the number of bytes that follow it (0 to 7).
  private static let tables: [UInt64] = {
    var tables = [UInt64](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt64(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// Processes eight bytes at a time.
  private static func crc32(_ sum: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var value = sum ^ 0xFFFF_FFFF
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
    return value ^ 0xFFFF_FFFF
  }
}
