// Percent-encoding of bytes (RFC 3986 §2.1), and the bytes that each component of a URL may contain unencoded.

struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(lettersDigitsAnd others: String) {
    let all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" + others
    for byte in all.utf8 where byte < 128 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low & (1 << UInt64(byte)) != 0
    case 64..<128: high & (1 << UInt64(byte - 64)) != 0
    default: false
    }
  }
}

enum PercentEncoding {
  /// The bytes of a path (RFC 3986 §3.3).
  static let path = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=:@/")
  /// The bytes of a query (RFC 3986 §3.4).
  static let query = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=:@/?")
  /// The bytes that are never encoded (RFC 3986 §2.3).
  static let unreserved = ByteSet(lettersDigitsAnd: "-._~")

  /// Encodes all bytes except the allowed ones. `%XX` stays unchanged; any other `%` becomes `%25`.
  static func encoded(_ bytes: ArraySlice<UInt8>, allowed: ByteSet) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in zip(bytes.indices, bytes) {
      if allowed.contains(byte) || byte == UInt8(ascii: "%") && value(after: index, in: bytes) != nil {
        result.append(byte)
      } else {
        let (high, low) = hexDigits(byte, uppercase: true)
        result += [UInt8(ascii: "%"), high, low]
      }
    }
    return result
  }

  /// Encodes all bytes except unreserved ones, even `%`.
  /// - Parameter keepsSlashes: Whether `/` stays, as in a path.
  static func strictlyEncoded(_ bytes: [UInt8], keepsSlashes: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if unreserved.contains(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
        result.append(byte)
      } else {
        let (high, low) = hexDigits(byte, uppercase: true)
        result += [UInt8(ascii: "%"), high, low]
      }
    }
    return result
  }

  /// Decodes every `%XX`. A `%` without two hexadecimal digits stays unchanged.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), let byte = value(after: index, in: bytes) {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// Decodes the escapes of `plain` bytes, and writes the digits of all other escapes in one case (RFC 3986 §6.2.2).
  static func normalized(_ bytes: ArraySlice<UInt8>, plain: ByteSet? = nil, uppercase: Bool = true) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "%"), let byte = value(after: index, in: bytes) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if let plain, plain.contains(byte) {
        result.append(byte)
      } else {
        let (high, low) = hexDigits(byte, uppercase: uppercase)
        result += [UInt8(ascii: "%"), high, low]
      }
      index += 3
    }
    return result
  }

  /// Returns the value of the two digits after the `%` at `index`.
  private static func value(after index: Int, in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
    else { return nil }
    return high << 4 | low
  }
}
