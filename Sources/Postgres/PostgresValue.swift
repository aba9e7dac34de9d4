// The values of parameters and columns, and their Swift types.

/// A value of a parameter or a column. The server says which type a parameter has; the value is written as that type.
package enum PostgresValue: Hashable, Sendable {
  case null
  /// `int2`, `int4`, `int8`, `oid`, `xid8`, and `numeric` without a fraction.
  case integer(Int64)
  /// `float4`, `float8`, other `numeric`.
  case real(Double)
  case bool(Bool)
  /// `text` and its relatives, `json`, `jsonb`, and any other type in its text form.
  case text(String)
  /// `bytea`, and the 16 bytes of a `uuid`.
  case bytes([UInt8])
  /// `timestamptz`, in microseconds since 1970. `Int64.max` and `Int64.min` are infinite.
  case time(Int64)
  /// A one-dimensional array. Its elements are no arrays.
  case array([PostgresValue])
}

extension PostgresValue: PostgresConvertible {
  package var postgresValue: PostgresValue { self }
  package static func fromPostgresValue(_ value: PostgresValue) -> PostgresValue? { value }
}

extension Optional: PostgresConvertible where Wrapped: PostgresConvertible {
  package var postgresValue: PostgresValue { self?.postgresValue ?? .null }

  package static func fromPostgresValue(_ value: PostgresValue) -> Wrapped?? {
    if value == .null { return .some(nil) }
    return Wrapped.fromPostgresValue(value).map(Optional.some)
  }
}

extension Array: PostgresConvertible where Element: PostgresConvertible {
  package var postgresValue: PostgresValue {
    // An array of bytes is one value. Any empty array could be cast to one.
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
    return .array(map(\.postgresValue))
  }

  package static func fromPostgresValue(_ value: PostgresValue) -> [Element]? {
    switch value {
    case .bytes(let bytes): return Element.self == UInt8.self ? bytes as? [Element] : nil
    case .array(let elements):
      guard Element.self != UInt8.self else { return nil }
      var result: [Element] = []
      result.reserveCapacity(elements.count)
      for element in elements {
        guard let element = Element.fromPostgresValue(element) else { return nil }
        result.append(element)
      }
      return result
    default: return nil
    }
  }
}

/// So that `[UInt8]` is convertible.
extension UInt8: PostgresConvertible {}
extension Int: PostgresConvertible {}
extension Int32: PostgresConvertible {}
extension Int64: PostgresConvertible {}

extension Bool: PostgresConvertible {
  package var postgresValue: PostgresValue { .bool(self) }

  package static func fromPostgresValue(_ value: PostgresValue) -> Bool? {
    if case .bool(let flag) = value { flag } else { nil }
  }
}

/// Numbers; of a time, the seconds since 1970.
extension Double: PostgresConvertible {
  package var postgresValue: PostgresValue { .real(self) }

  package static func fromPostgresValue(_ value: PostgresValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .time(.max): .infinity
    case .time(.min): -.infinity
    case .time(let microseconds): Double(microseconds) / 1e6
    default: nil
    }
  }
}

extension String: PostgresConvertible {
  package var postgresValue: PostgresValue { .text(self) }

  package static func fromPostgresValue(_ value: PostgresValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}
