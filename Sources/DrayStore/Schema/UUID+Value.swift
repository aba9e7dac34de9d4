// Stores UUIDs as text.

internal import DrayCore
package import SQLite

package import struct FoundationEssentials.UUID

extension UUID: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { .text(text) }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    String.fromDatabaseValue(value).flatMap(UUID.init(text:))
  }
}
