// Writes JSON. Unlike Foundation's encoder, this type keeps the order of keys, and is fast enough for a list of 100,000
// jobs.

/// A scalar JSON value: a string, a number, `true` or `false`.
public protocol JSONScalar {
  /// Appends the value as JSON text (RFC 8259).
  func write(to json: inout [UInt8])
}

/// A JSON text that is written from start to end (RFC 8259).
///
/// Commas are written automatically. The caller ends each object and array, and writes a key before each value in an
/// object.
public struct JSONText: Sendable {
  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// Whether the next value needs a comma before it.
  private var followsValue = false

  /// Creates an empty text.
  public init() {}

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Begins an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// Ends the innermost object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }
  /// Begins an array.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// Ends the innermost array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Ends a line of JSON Lines; a new text may begin after it.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    followsValue = false
  }

  /// Writes the key of the next value.
  public mutating func key(_ name: String) {
    separate()
    name.write(to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    followsValue = false
  }

  /// Writes a value; `nil` is `null`.
  public mutating func value(_ value: (some JSONScalar)?) {
    separate()
    if let value { value.write(to: &bytes) } else { bytes.append(contentsOf: "null".utf8) }
  }

  /// Writes a string. Strings have a separate method because most values are strings, and a call that is not generic is
  /// faster.
  public mutating func value(_ text: String) {
    separate()
    text.write(to: &bytes)
  }

  /// Writes a key and its value.
  public mutating func field(_ name: String, _ value: (some JSONScalar)?) {
    key(name)
    self.value(value)
  }

  private mutating func separate() {
    if followsValue { bytes.append(UInt8(ascii: ",")) }
    followsValue = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    followsValue = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    followsValue = true
  }
}

extension Bool: JSONScalar {
  /// Writes `true` or `false`.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension Int: JSONScalar {
  /// Writes decimal digits.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Int64: JSONScalar {
  /// Writes decimal digits.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Double: JSONScalar {
  /// Writes a number. Whole numbers are written without point and exponent. Infinity and NaN become `null`, because
  /// JSON has neither.
  public func write(to json: inout [UInt8]) {
    guard isFinite else { return json.append(contentsOf: "null".utf8) }
    let whole = abs(self) < 0x1p53 ? Int64(exactly: self) : nil
    json.append(contentsOf: (whole.map { String($0) } ?? description).utf8)
  }
}

extension String: JSONScalar {
  /// Writes a string. Characters that a terminal would interpret are also escaped, because JSON is printed to
  /// terminals, too (P8). U+2028 and U+2029 are also escaped, because some readers take them for the end of a line.
  public func write(to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    var text = self
    let isPlain = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0.isPlainInJSON }) else { return false }
      json.append(contentsOf: bytes)
      return true
    }
    if !isPlain { for scalar in unicodeScalars { String.write(scalar, to: &json) } }
    json.append(UInt8(ascii: "\""))
  }

  private static func write(_ scalar: Unicode.Scalar, to json: inout [UInt8]) {
    switch scalar {
    case "\"", "\\": json += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
    case "\n": json += Array("\\n".utf8)
    case "\r": json += Array("\\r".utf8)
    case "\t": json += Array("\\t".utf8)
    case _ where scalar.isUnprintable:
      for unit in String(scalar).utf16 {
        let (first, second) = (hexDigits(UInt8(unit >> 8)), hexDigits(UInt8(unit & 0xFF)))
        json += [UInt8(ascii: "\\"), UInt8(ascii: "u"), first.0, first.1, second.0, second.1]
      }
    default:
      json.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}

extension UInt8 {
  /// Whether a string may contain the scalar unescaped.
  fileprivate var isPlainInJSON: Bool {
    self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
