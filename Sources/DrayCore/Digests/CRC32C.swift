// CRC-32C: a cheap checksum that detects accidental changes.

internal import CChecksum

/// The CRC-32C (Castagnoli) of some bytes: the checksum of iSCSI (RFC 3720 §12.1), of ext4, and of object stores'
/// headers. A checksum detects accidental damage only; a digest also detects deliberate changes.
public struct CRC32C: Hashable, Sendable {
  /// The checksum as a number.
  public private(set) var value: UInt32

  /// Creates the checksum of no bytes, or one with a known value.
  public init(_ value: UInt32 = 0) { self.value = value }

  /// Creates the checksum of `bytes`.
  public init(of bytes: UnsafeRawBufferPointer) {
    value = 0
    update(bytes)
  }

  /// Extends the checksum by `bytes`.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    value = dray_crc32c(value, bytes.baseAddress, bytes.count)
  }

  /// Returns the checksum of two byte sequences joined: the bytes of this checksum, followed by `length` bytes with the
  /// checksum `next`.
  public func followed(by next: CRC32C, _ length: CRC32C.Length) -> CRC32C {
    CRC32C(dray_crc32c_joined(value, next.value, length.factor))
  }

  /// The four bytes of the checksum, most significant first. Header fields carry them in base64 (`x-goog-hash`,
  /// `x-amz-checksum-crc32c`).
  public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// A number of bytes, prepared for joining checksums. Preparing costs four times as much as joining, so use one value
  /// for many checksums of the same length.
  public struct Length: Hashable, Sendable {
    /// The number of bytes.
    public let count: Int64
    fileprivate let factor: UInt32

    /// Creates the length of `count` bytes. `count` must not be negative.
    public init(_ count: Int64) {
      self.count = count
      factor = dray_crc32c_factor(UInt64(count))
    }
  }
}
