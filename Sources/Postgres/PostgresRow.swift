// A row of a result.

/// A row. It keeps its result alive.
package struct PostgresRow {
  let rows: PostgresRows
  let index: Int

  /// The number of columns.
  package var count: Int { rows.columnCount }

  /// The value in a column.
  /// - Throws: `mismatch` for a value of another type.
  package subscript<Value: PostgresConvertible>(_ column: Int) -> Value {
    get throws(PostgresError) {
      let value = try rows.value(index, column)
      guard let decoded = Value.fromPostgresValue(value) else {
        throw .mismatch("column \(rows.name(column)) is \(value.kind), not \(Value.self)")
      }
      return decoded
    }
  }

  /// The value in the first column with a name.
  package subscript<Value: PostgresConvertible>(_ name: String) -> Value {
    get throws(PostgresError) {
      guard let column = rows.place(name) else { throw .mismatch("no such column: \(name)") }
      return try self[column]
    }
  }
}
