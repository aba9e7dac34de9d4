internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

/// A row of SQLite, read by the cases of its columns. Values are read by index, because a lookup by name costs more
/// than the value.
struct ColumnRow<Columns: ColumnSet>: StoredRow {
  let row: Row

  init(_ row: Row) { self.row = row }

  subscript<Value: DatabaseValueConvertible>(_ column: Columns) -> Value {
    get throws(DatabaseError) { try row[column.rawValue] }
  }

  // Reads the usual types without a generic call into another module (``Row/text(_:)``).

  subscript(_ column: Columns) -> String? {
    get throws(DatabaseError) { try row.text(column.rawValue) }
  }

  subscript(_ column: Columns) -> Int64? {
    get throws(DatabaseError) { try row.integer(column.rawValue) }
  }

  subscript(_ column: Columns) -> Double? {
    get throws(DatabaseError) { try row.real(column.rawValue) }
  }

  subscript(_ column: Columns) -> String {
    get throws(DatabaseError) { try wanted(column, row.text(column.rawValue)) }
  }

  subscript(_ column: Columns) -> Int64 {
    get throws(DatabaseError) { try wanted(column, row.integer(column.rawValue)) }
  }

  subscript(_ column: Columns) -> Double {
    get throws(DatabaseError) { try wanted(column, row.real(column.rawValue)) }
  }

  subscript(_ column: Columns) -> Int {
    get throws(DatabaseError) { Int(try wanted(column, row.integer(column.rawValue))) }
  }

  func uuid(_ column: Columns) throws -> UUID? { try row.text(column.rawValue).flatMap(UUID.init(text:)) }

  func uuidText(_ column: Columns) throws -> String? { try row.text(column.rawValue) }

  func jobs(_ column: Columns) throws -> [JobID] {
    try row.text(column.rawValue).map { $0.split(separator: ",").compactMap { JobID($0) }.sorted() } ?? []
  }

  private func wanted<Value>(_ column: Columns, _ value: Value?) throws(DatabaseError) -> Value {
    guard let value else { throw DatabaseError(mismatch: "column \(column.name) is not \(Value.self)") }
    return value
  }
}
