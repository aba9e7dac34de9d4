// Writes JSON, one object per line, fast enough for a list of 100,000 jobs and with its keys in the order they were
// written, which Foundation's encoder does not keep.

/// A scalar JSON value: a string, a number, `true` or `false`.
public protocol JSONScalar {
  /// Appends the value as JSON text (RFC 8259).
  func write(to json: inout [UInt8])
}

/// JSON text that only grows (RFC 8259).
///
/// It writes the commas; that objects and arrays are ended, and that every value in an object has a key, is
/// the caller's.
public struct JSONText: Sendable {
  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// Whether a comma must precede the next value.
  private var followsValue = false

  /// No text yet.
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

  /// Ends a line of JSON Lines: what comes next is a text of its own.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    followsValue = false
  }

  /// Writes the key of the value that comes next.
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

  /// Writes a text; most values are texts, and a call that needs no look at the type is faster.
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
  /// `true` or `false`.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension Int: JSONScalar {
  /// Decimal digits.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Int64: JSONScalar {
  /// Decimal digits.
  public func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Double: JSONScalar {
  /// JSON has no infinity and no NaN: those are `null`. A whole number is written without point or exponent.
  public func write(to json: inout [UInt8]) {
    guard isFinite else { return json.append(contentsOf: "null".utf8) }
    let whole = abs(self) < 0x1p53 ? Int64(exactly: self) : nil
    json.append(contentsOf: (whole.map { String($0) } ?? description).utf8)
  }
}

extension String: JSONScalar {
  /// Whatever a terminal would act on is escaped as well, because JSON is printed to terminals too (P8); U+2028 and U+2029,
  /// at which some readers end a line, are among it.
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
  /// Whether a string has it as it is.
  fileprivate var isPlainInJSON: Bool {
    self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
