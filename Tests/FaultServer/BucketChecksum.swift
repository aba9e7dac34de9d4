// The checksums of S3: CRC-64/NVME, CRC-32C, SHA-256 and MD5, of bytes in memory.

import Crypto
import Foundation

/// The checksum algorithms that the bucket computes.
enum BucketChecksum: String, CaseIterable, Sendable {
  case crc64nvme, crc32c, crc32, sha256

  /// The name in `x-amz-checksum-algorithm`.
  var name: String { rawValue.uppercased() }

  /// The header field with its value.
  var field: String { "x-amz-checksum-" + rawValue }

  /// The element of answers with its value.
  var element: String { "Checksum" + name }

  /// The Base64 of the checksum of `bytes`.
  func value(of bytes: [UInt8]) -> String {
    switch self {
    case .crc64nvme: base64(Self.bigEndian(Self.nvme.value(of: bytes), count: 8))
    case .crc32c: base64(Self.bigEndian(Self.castagnoli.value(of: bytes), count: 4))
    case .crc32: base64(Self.bigEndian(Self.ethernet.value(of: bytes), count: 4))
    case .sha256: base64(SHA256.hash(data: bytes))
    }
  }

  private static func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  private static let nvme = CyclicCode(polynomial: 0x9A6C_9329_AC4B_C9B5, width: 64)
  private static let castagnoli = CyclicCode(polynomial: 0x82F6_3B78, width: 32)
  private static let ethernet = CyclicCode(polynomial: 0xEDB8_8320, width: 32)
}

/// The MD5 of `bytes`.
func bucketMD5(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.MD5.hash(data: bytes)) }

/// Bytes as hexadecimal digits.
func hexText(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

/// A cyclic redundancy code with reflected bits, eight bytes a step: a step a byte takes seconds in a debug build.
private struct CyclicCode: Sendable {
  private let tables: [UInt64]
  private let all: UInt64

  /// `polynomial` is reflected.
  init(polynomial: UInt64, width: UInt64) {
    var tables = [UInt64](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt64(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
      tables[byte] = value
    }
    for step in 1..<8 {
      for byte in 0..<256 {
        let before = tables[(step - 1) * 256 + byte]
        tables[step * 256 + byte] = before >> 8 ^ tables[Int(before & 0xFF)]
      }
    }
    self.tables = tables
    all = width == 64 ? .max : (1 << width) - 1
  }

  func value(of bytes: [UInt8]) -> UInt64 {
    var state = all
    tables.withUnsafeBufferPointer { tables in
      bytes.withUnsafeBytes { bytes in
        var position = 0
        let end = bytes.count & ~7
        while position < end {
          let mixed = state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          let low =
            tables[0x700 | Int(mixed & 0xFF)] ^ tables[0x600 | Int(mixed >> 8 & 0xFF)]
            ^ tables[0x500 | Int(mixed >> 16 & 0xFF)] ^ tables[0x400 | Int(mixed >> 24 & 0xFF)]
          let high =
            tables[0x300 | Int(mixed >> 32 & 0xFF)] ^ tables[0x200 | Int(mixed >> 40 & 0xFF)]
            ^ tables[0x100 | Int(mixed >> 48 & 0xFF)] ^ tables[Int(mixed >> 56)]
          state = low ^ high
          position += 8
        }
        while position < bytes.count {
          state = state >> 8 ^ tables[Int((state ^ UInt64(bytes[position])) & 0xFF)]
          position += 1
        }
      }
    }
    return state ^ all
  }
}
