// From values to the bytes of parameters, and to the text of COPY.

struct EncodedValue: Equatable {
  /// `nil` for NULL.
  var bytes: [UInt8]?
  /// Whether the bytes are in the binary format of the type.
  var isBinary = true
}

enum PostgresEncoding {
  /// Microseconds from 1970 to 2000, where PostgreSQL's times begin.
  static let epoch: Int64 = 946_684_800_000_000

  /// Returns a value as a parameter of a type. Types without a binary form here are sent as text, which the server reads.
  static func encode(_ value: PostgresValue, as type: PostgresType) throws(PostgresError) -> EncodedValue {
    switch value {
    case .null: return EncodedValue(bytes: nil)
    case .array(let elements):
      if let element = PostgresType.arrays[type], let bytes = try array(elements, of: element) {
        return EncodedValue(bytes: bytes)
      }
    default:
      if let bytes = try scalar(value, as: type) { return EncodedValue(bytes: bytes) }
    }
    guard let text = text(of: value) else {
      throw .mismatch("a parameter of type \(type.rawValue) cannot be \(value.kind)")
    }
    return EncodedValue(bytes: Array(text.utf8), isBinary: false)
  }

  /// Returns a value in the binary format of a type; `nil` if the type has none here.
  /// - Throws: `mismatch` if the value does not fit in.
  private static func scalar(_ value: PostgresValue, as type: PostgresType) throws(PostgresError) -> [UInt8]? {
    switch (value, type) {
    case (.integer(let number), .int8), (.integer(let number), .xid8): return bigEndian(number)
    case (.integer(let number), .int4): return bigEndian(try exactly(number) as Int32)
    case (.integer(let number), .int2): return bigEndian(try exactly(number) as Int16)
    case (.integer(let number), .oid): return bigEndian(try exactly(number) as UInt32)
    case (.integer(let number), .float8): return bigEndian(Double(number).bitPattern)
    case (.integer(let number), .float4): return bigEndian(Float(number).bitPattern)
    case (.real(let number), .float8): return bigEndian(number.bitPattern)
    case (.real(let number), .float4): return bigEndian(Float(number).bitPattern)
    case (.real(let seconds), .timestamptz): return bigEndian(sinceEpoch(microseconds(seconds)))
    case (.time(let time), .timestamptz): return bigEndian(sinceEpoch(time))
    case (.bool(let flag), .bool): return [flag ? 1 : 0]
    case (.bytes(let bytes), .bytea): return bytes
    case (.bytes(let bytes), .uuid):
      guard bytes.count == 16 else { throw .mismatch("a uuid of \(bytes.count) bytes") }
      return bytes
    case (.text(let text), .json): return Array(text.utf8)
    case (.text(let text), .jsonb): return [1] + text.utf8
    case (.text(let text), _) where PostgresType.texts.contains(type): return Array(text.utf8)
    // The server would read the text of bytes as their escaped form.
    case (.text, .bytea): throw .mismatch("a text for bytea")
    default: return nil
    }
  }

  /// Returns an array in binary format (`array_send` of PostgreSQL's source); `nil` if an element has none.
  private static func array(_ elements: [PostgresValue], of type: PostgresType) throws(PostgresError) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.count * 12)
    let hasNull = elements.contains(.null)
    bytes += bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(Int32(hasNull ? 1 : 0)) + bigEndian(type.rawValue)
    if elements.isEmpty { return bytes }
    bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
    for element in elements {
      if element == .null {
        bytes += bigEndian(Int32(-1))
      } else {
        guard let encoded = try scalar(element, as: type) else { return nil }
        bytes += bigEndian(Int32(encoded.count))
        bytes += encoded
      }
    }
    return bytes
  }

  static func text(of value: PostgresValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number):
      number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .bool(let flag): flag ? "t" : "f"
    case .text(let text): text
    case .bytes(let bytes): "\\x" + hex(bytes)
    case .time(let time): timeText(time)
    case .array(let elements):
      "{" + elements.map { Self.text(of: $0).map(quoted) ?? "NULL" }.joined(separator: ",") + "}"
    }
  }

  private static func timeText(_ time: Int64) -> String {
    if time == .max { return "infinity" }
    if time == .min { return "-infinity" }
    let (days, rest) = time.quotientRoundedDown(by: 86_400_000_000)
    let (year, month, day) = date(days)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let seconds = rest / 1_000_000
    return
      "\(digits(year > 0 ? year : 1 - year, 4))-\(digits(month, 2))-\(digits(day, 2)) \(digits(seconds / 3600, 2)):"
      + "\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(rest % 1_000_000, 6))+00"
      + (year > 0 ? "" : " BC")
  }

  /// Returns the date of a day that is counted from 1970 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).quotientRoundedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }

  // MARK: COPY

  /// Adds a row in COPY's text format.
  static func appendRow(_ values: [PostgresValue], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      guard let text = text(of: value) else {
        bytes += "\\N".utf8
        continue
      }
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\r"): bytes += "\\r".utf8
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Numbers

  /// Infinite for seconds out of range.
  static func microseconds(_ seconds: Double) -> Int64 {
    let value = (seconds * 1e6).rounded()
    return value >= 9.2e18 ? .max : value <= -9.2e18 || value.isNaN ? .min : Int64(value)
  }

  private static func sinceEpoch(_ time: Int64) -> Int64 {
    if time == .max || time == .min { return time }
    let (result, isOver) = time.subtractingReportingOverflow(epoch)
    return isOver ? .min : result
  }

  private static func exactly<Number: FixedWidthInteger>(_ number: Int64) throws(PostgresError) -> Number {
    guard let exact = Number(exactly: number) else { throw .mismatch("\(number) does not fit in \(Number.self)") }
    return exact
  }

  static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digits[Int(byte >> 4)]
        text[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }
}

extension Int64 {
  /// The remainder is not negative.
  fileprivate func quotientRoundedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension PostgresValue {
  /// For messages. The value itself may be a secret.
  var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a number"
    case .bool: "a Boolean"
    case .text: "a text"
    case .bytes: "bytes"
    case .time: "a time"
    case .array: "an array"
    }
  }
}
