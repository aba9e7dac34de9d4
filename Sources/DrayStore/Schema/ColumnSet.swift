// The columns that a query selects. Each is declared once as a case, which gives its SQL name and its index in the row.

import SQLite

/// The columns of a query, in the order of the cases.
protocol ColumnSet: CaseIterable, RawRepresentable<Int> {
  /// The selected expression. By default, the name of the case in SQL's spelling.
  var sql: String { get }
}

extension ColumnSet {
  var sql: String { name }

  /// The name of the case with underscores: `fileName` is `file_name`.
  var name: String {
    "\(self)".reduce(into: "") { name, letter in
      if letter.isUppercase { name += "_" }
      name += letter.lowercased()
    }
  }

  /// The list between `SELECT` and `FROM`.
  static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

/// A row of such a query. Values are read by index, as a lookup by name costs more than the value.
struct ColumnRow<Columns: ColumnSet> {
  let row: Row

  init(_ row: Row) { self.row = row }

  subscript<Value: DatabaseValueConvertible>(_ column: Columns) -> Value {
    get throws(DatabaseError) { try row[column.rawValue] }
  }

  // The usual types, without a generic call into another module (``Row/text(_:)``).

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

  private func wanted<Value>(_ column: Columns, _ value: Value?) throws(DatabaseError) -> Value {
    guard let value else { throw DatabaseError(mismatch: "column \(column.name) is not \(Value.self)") }
    return value
  }
}
