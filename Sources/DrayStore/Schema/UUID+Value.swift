// UUIDs in the store, as text.

package import SQLite

package import struct FoundationEssentials.UUID

extension UUID: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .text(uuidString) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    String.fromDatabaseValue(value).flatMap(UUID.init(uuidString:))
  }
}
