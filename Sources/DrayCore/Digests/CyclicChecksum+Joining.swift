// Computes the CRC-64/NVME of an object from the checksums of its parts.

extension CyclicChecksum {
  /// Returns the CRC-64/NVME of a whole from the checksums of its pieces, in order.
  /// - Returns: `nil` if a checksum has the wrong length.
  public static func joined(_ pieces: [(checksum: [UInt8], count: Int64)]) -> [UInt8]? {
    var sum: UInt64 = 0
    for piece in pieces {
      guard piece.checksum.count == 8, piece.count >= 0 else { return nil }
      let next = piece.checksum.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      sum = product(sum, zeros(piece.count)) ^ next
    }
    return (0..<8).reversed().map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  /// Returns the factor by which `count` following zero bytes multiply a checksum: x to the power of 8 times `count`.
  private static func zeros(_ count: Int64) -> UInt64 {
    // The lowest bit is the highest power of x.
    var (result, power, rest): (UInt64, UInt64, Int64) = (1 << 63, 1 << 55, count)
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      rest >>= 1
    }
    return result
  }

  /// Multiplies polynomials modulo the polynomial of the CRC.
  private static func product(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (sum, second): (UInt64, UInt64) = (0, second)
    for power in (0..<64).reversed() {
      if first >> UInt64(power) & 1 == 1 { sum ^= second }
      second = second >> 1 ^ (second & 1 == 1 ? 0x9A6C_9329_AC4B_C9B5 : 0)
    }
    return sum
  }
}
