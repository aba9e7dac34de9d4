/// A type that can be bound to a statement and read from a row.
package protocol DatabaseValueConvertible {
  var databaseValue: DatabaseValue { get }
  /// Returns the stored value; `nil` if it is not of this type.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self?
}

/// Integers. A stored real counts if its conversion is exact.
extension DatabaseValueConvertible where Self: FixedWidthInteger {
  package var databaseValue: DatabaseValue { .integer(Int64(self)) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    switch value {
    case .integer(let number): Self(exactly: number)
    case .real(let number): Self(exactly: number)
    default: nil
    }
  }
}
