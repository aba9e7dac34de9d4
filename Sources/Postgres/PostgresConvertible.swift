/// A type that can be bound to a parameter and read from a column.
package protocol PostgresConvertible {
  var postgresValue: PostgresValue { get }
  /// `nil` if the value is not of this type.
  static func fromPostgresValue(_ value: PostgresValue) -> Self?
}

/// A number with a fraction is no integer.
extension PostgresConvertible where Self: FixedWidthInteger {
  package var postgresValue: PostgresValue { .integer(Int64(self)) }

  package static func fromPostgresValue(_ value: PostgresValue) -> Self? {
    if case .integer(let number) = value { Self(exactly: number) } else { nil }
  }
}
