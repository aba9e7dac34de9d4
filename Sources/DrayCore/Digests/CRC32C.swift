// CRC-32C: a cheap checksum that detects accidental changes.

internal import CChecksum

/// The CRC-32C (Castagnoli) of some bytes, the checksum of iSCSI (RFC 3720 §12.1), ext4, and of object stores' headers. It
/// detects damage, not malice: for that there are digests.
public struct CRC32C: Hashable, Sendable {
  /// The checksum as a number.
  public private(set) var value: UInt32

  /// That of no bytes, or one that was computed before.
  public init(_ value: UInt32 = 0) { self.value = value }

  /// That of `bytes`.
  public init(of bytes: UnsafeRawBufferPointer) {
    value = 0
    update(bytes)
  }

  /// Extends it by `bytes`.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    value = dray_crc32c(value, bytes.baseAddress, bytes.count)
  }

  /// That of the bytes of `self` followed by others, of which only their checksum and length are known.
  public func followed(by next: CRC32C, _ length: CRC32C.Length) -> CRC32C {
    CRC32C(dray_crc32c_joined(value, next.value, length.factor))
  }

  /// The four bytes of the checksum, most significant first, as headers have them in base64 (`x-goog-hash`,
  /// `x-amz-checksum-crc32c`).
  public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// A length of bytes, with its effect on a preceding checksum: computing that costs four times what using it
  /// does, so keep it when joining many of one length.
  public struct Length: Hashable, Sendable {
    /// Bytes.
    public let count: Int64
    fileprivate let factor: UInt32

    /// A length of `count` bytes, which is not negative.
    public init(_ count: Int64) {
      self.count = count
      factor = dray_crc32c_factor(UInt64(count))
    }
  }
}
