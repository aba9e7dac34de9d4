// The values that SQLite stores, and their Swift types.

/// A value as SQLite stores it (sqlite.org/datatype3.html).
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension DatabaseValue: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { self }
  package static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    if value == .null { return .some(nil) }
    return Wrapped.fromDatabaseValue(value).map(Optional.some)
  }
}

extension Int: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}

extension Bool: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
    Int64.fromDatabaseValue(value).map { $0 != 0 }
  }
}

extension Double: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .real(self) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

extension String: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .text(self) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}

extension [UInt8]: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .blob(self) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> [UInt8]? {
    switch value {
    case .blob(let bytes): bytes
    case .text(let text): Array(text.utf8)
    default: nil
    }
  }
}
