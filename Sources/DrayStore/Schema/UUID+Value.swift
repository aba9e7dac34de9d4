// UUIDs in the store: as text.

package import SQLite

package import struct FoundationEssentials.UUID

extension UUID: DatabaseValueConvertible {
  /// Its text.
  package var databaseValue: DatabaseValue { .text(uuidString) }

  /// The UUID of a text.
  package static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    String.fromDatabaseValue(value).flatMap(UUID.init(uuidString:))
  }
}
