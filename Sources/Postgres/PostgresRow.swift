// A row of a result.

/// Keeps its result alive.
package struct PostgresRow {
  let rows: PostgresRows
  let index: Int

  package var count: Int { rows.columnCount }

  /// Throws `mismatch` for a value of another type.
  package subscript<Value: PostgresConvertible>(_ column: Int) -> Value {
    get throws(PostgresError) {
      let value = try rows.value(index, column)
      guard let decoded = Value.fromPostgresValue(value) else {
        throw .mismatch("column \(rows.name(column)) is \(value.kind), not \(Value.self)")
      }
      return decoded
    }
  }

  package subscript<Value: PostgresConvertible>(_ name: String) -> Value {
    get throws(PostgresError) {
      guard let column = rows.place(name) else { throw .mismatch("no such column: \(name)") }
      return try self[column]
    }
  }
}
