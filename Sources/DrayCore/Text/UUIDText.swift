// Converts UUIDs to text and back without the C library, whose formatting costs more than the rest of a job's row.

package import struct FoundationEssentials.UUID

extension UUID {
  /// Creates a UUID from its two halves.
  package init(high: UInt64, low: UInt64) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7)
      ))
  }

  /// The 36 characters of the UUID, with capital letters.
  package var text: String {
    withUnsafeBytes(of: uuid) { bytes in
      String(unsafeUninitializedCapacity: UUIDText.length) { target in
        var place = 0
        for index in 0..<16 {
          if UUIDText.isBehindDash(index) {
            target[place] = UInt8(ascii: "-")
            place += 1
          }
          target[place] = UUIDText.digit(bytes[index] >> 4)
          target[place + 1] = UUIDText.digit(bytes[index] & 15)
          place += 2
        }
        return place
      }
    }
  }

  /// Reads the 36 characters of a UUID, with letters of any case; `nil` for any other text.
  package init?(text: String) {
    var text = text
    let halves = text.withUTF8 { digits -> (UInt64, UInt64)? in
      guard digits.count == UUIDText.length else { return nil }
      var halves: (UInt64, UInt64) = (0, 0)
      var place = 0
      for index in 0..<16 {
        if UUIDText.isBehindDash(index) {
          guard digits[place] == UInt8(ascii: "-") else { return nil }
          place += 1
        }
        guard let upper = UUIDText.value(digits[place]), let lower = UUIDText.value(digits[place + 1]) else {
          return nil
        }
        let byte = upper << 4 | lower
        if index < 8 { halves.0 = halves.0 << 8 | byte } else { halves.1 = halves.1 << 8 | byte }
        place += 2
      }
      return halves
    }
    guard let halves else { return nil }
    self.init(high: halves.0, low: halves.1)
  }
}

private enum UUIDText {
  static let length = 36

  /// Whether a dash precedes the byte at this index.
  static func isBehindDash(_ index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }

  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  static func value(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
