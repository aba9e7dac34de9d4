// MD4 (RFC 1320), the strong checksum of blocks in zsync's control files. It proves nothing against an attacker, so no
// setting offers it: the digest of the whole file decides.

/// Computes MD4 checksums.
package enum MD4 {
  /// The length of a checksum in bytes.
  package static let byteCount = 16

  private static let start: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)
  /// The order in which each round reads the words of a chunk, and the four rotations of each round (RFC 1320 §3.4).
  private static let orders: [UInt8] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    + [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
    + [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]
  private static let rotations: [UInt32] = [3, 7, 11, 19, 3, 5, 9, 13, 3, 9, 11, 15]

  /// Returns the checksum of `bytes`.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var state = start
    let whole = bytes.count / 64 * 64
    orders.withUnsafeBufferPointer { orders in
      rotations.withUnsafeBufferPointer { rotations in
        for place in stride(from: 0, to: whole, by: 64) {
          take(UnsafeRawBufferPointer(rebasing: bytes[place..<place + 64]), orders, rotations, &state)
        }
        // The padding: a one bit, zeros up to eight bytes before the end of a chunk, and the length in bits.
        var tail = Array(bytes[whole...])
        tail.append(0x80)
        tail += [UInt8](repeating: 0, count: (120 - tail.count % 64) % 64)
        for shift in 0..<8 { tail.append(UInt8(truncatingIfNeeded: (UInt64(bytes.count) &* 8) >> UInt64(8 * shift))) }
        tail.withUnsafeBytes { tail in
          for place in stride(from: 0, to: tail.count, by: 64) {
            take(UnsafeRawBufferPointer(rebasing: tail[place..<place + 64]), orders, rotations, &state)
          }
        }
      }
    }
    return [state.0, state.1, state.2, state.3].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    }
  }

  private static func take(
    _ chunk: UnsafeRawBufferPointer, _ orders: UnsafeBufferPointer<UInt8>, _ rotations: UnsafeBufferPointer<UInt32>,
    _ state: inout (UInt32, UInt32, UInt32, UInt32)
  ) {
    var (a, b, c, d) = state
    @inline(__always)
    func step(_ index: Int, _ mixed: UInt32, _ rotation: UInt32) {
      let word = UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: 4 * Int(orders[index]), as: UInt32.self))
      let sum = a &+ mixed &+ word
      (a, d, c, b) = (d, c, b, sum << rotation | sum >> (32 - rotation))
    }
    for index in 0..<16 { step(index, (b & c) | (~b & d), rotations[index & 3]) }
    for index in 16..<32 { step(index, ((b & c) | (b & d) | (c & d)) &+ 0x5a82_7999, rotations[4 + (index & 3)]) }
    for index in 32..<48 { step(index, (b ^ c ^ d) &+ 0x6ed9_eba1, rotations[8 + (index & 3)]) }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}
