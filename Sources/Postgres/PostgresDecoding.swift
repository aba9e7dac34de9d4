// From the bytes of a column to a value.

enum PostgresDecoding {
  /// Returns the value of a column in binary format.
  /// - Throws: `mismatch` for a type that is not read here (cast it in the statement), or for bytes that do not fit the
  ///   type.
  static func decode(_ bytes: UnsafeRawBufferPointer, _ type: PostgresType) throws(PostgresError) -> PostgresValue {
    guard let value = value(bytes, type) else {
      throw .mismatch(
        "a column of type \(type.rawValue) with \(bytes.count) bytes cannot be read; cast it to another type")
    }
    return value
  }

  private static func value(_ bytes: UnsafeRawBufferPointer, _ type: PostgresType) -> PostgresValue? {
    switch type {
    case .int8, .xid8: return (integer(bytes) as Int64?).map { .integer($0) }
    case .int4: return (integer(bytes) as Int32?).map { .integer(Int64($0)) }
    case .int2: return (integer(bytes) as Int16?).map { .integer(Int64($0)) }
    case .oid: return (integer(bytes) as UInt32?).map { .integer(Int64($0)) }
    case .bool: return bytes.count == 1 ? .bool(bytes[0] != 0) : nil
    case .float8: return (integer(bytes) as UInt64?).map { .real(Double(bitPattern: $0)) }
    case .float4: return (integer(bytes) as UInt32?).map { .real(Double(Float(bitPattern: $0))) }
    case .timestamptz: return (integer(bytes) as Int64?).map { .time(sinceUnixEpoch($0)) }
    case .numeric: return numeric(bytes)
    case .bytea: return .bytes(Array(bytes))
    case .uuid: return bytes.count == 16 ? .bytes(Array(bytes)) : nil
    case .json: return .text(String(decoding: bytes, as: UTF8.self))
    case .jsonb: return bytes.first == 1 ? .text(String(decoding: bytes.dropFirst(), as: UTF8.self)) : nil
    case .void: return .null
    default:
      if PostgresType.texts.contains(type) { return .text(String(decoding: bytes, as: UTF8.self)) }
      if let element = PostgresType.arrays[type] { return array(bytes, element) }
      // The types of enumerations have numbers that the database assigned (from 16384), and their binary form is text.
      return type.rawValue >= 16384 ? String(validating: bytes, as: UTF8.self).map { .text($0) } : nil
    }
  }

  /// Reads an array of at most one dimension.
  private static func array(_ bytes: UnsafeRawBufferPointer, _ type: PostgresType) -> PostgresValue? {
    guard let dimensions: Int32 = integer(bytes, at: 0) else { return nil }
    if dimensions == 0 { return .array([]) }
    guard dimensions == 1, let count: Int32 = integer(bytes, at: 12), count >= 0 else { return nil }
    var place = 20
    var values: [PostgresValue] = []
    for _ in 0..<count {
      guard let length: Int32 = integer(bytes, at: place) else { return nil }
      place += 4
      guard length >= 0 else {
        values.append(.null)
        continue
      }
      guard place + Int(length) <= bytes.count,
        let element = value(UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(length)]), type)
      else { return nil }
      values.append(element)
      place += Int(length)
    }
    return .array(values)
  }

  /// Reads a `numeric` (`numeric_send` of PostgreSQL's source): digits to the base 10,000, the weight of the first one,
  /// the sign. Sums of `int8` have this type.
  private static func numeric(_ bytes: UnsafeRawBufferPointer) -> PostgresValue? {
    guard let count: Int16 = integer(bytes, at: 0), let weight: Int16 = integer(bytes, at: 2),
      let sign: UInt16 = integer(bytes, at: 4), bytes.count == 8 + Int(count) * 2, count >= 0
    else { return nil }
    switch sign {
    case 0xC000: return .real(.nan)
    case 0xD000: return .real(.infinity)
    case 0xF000: return .real(-.infinity)
    default: break
    }
    var digits: [Int64] = []
    for index in 0..<Int(count) {
      guard let digit: Int16 = integer(bytes, at: 8 + index * 2) else { return nil }
      digits.append(Int64(digit))
    }
    let isNegative = sign == 0x4000
    if let whole = whole(digits, Int(weight), isNegative) { return .integer(whole) }
    // Exact to a part in 10^15.
    let digitsText = digits.map { String(String($0 + 10_000).dropFirst()) }.joined()
    let exponent = (Int(weight) + 1 - digits.count) * 4
    return Double((isNegative ? "-" : "") + digitsText + "e\(exponent)").map { .real($0) }
  }

  /// `nil` if there is a fraction, or if the number does not fit in.
  private static func whole(_ digits: [Int64], _ weight: Int, _ isNegative: Bool) -> Int64? {
    guard !digits.isEmpty else { return 0 }
    guard weight >= digits.count - 1, weight < 5 else { return nil }
    var result: Int64 = 0
    for index in 0...weight {
      let digit = index < digits.count ? digits[index] : 0
      let (product, isOver) = result.multipliedReportingOverflow(by: 10_000)
      let (sum, isOverToo) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isOver || isOverToo { return nil }
      result = sum
    }
    return result
  }

  private static func sinceUnixEpoch(_ time: Int64) -> Int64 {
    if time == .max || time == .min { return time }
    let (result, isOver) = time.addingReportingOverflow(PostgresEncoding.epoch)
    return isOver ? .max : result
  }

  private static func integer<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> Number? {
    bytes.count == MemoryLayout<Number>.size ? integer(bytes, at: 0) : nil
  }

  private static func integer<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Number? {
    guard place + MemoryLayout<Number>.size <= bytes.count else { return nil }
    return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
