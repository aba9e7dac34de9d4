// The columns that a query selects. Each is declared once, as a case: it gives the name in SQL, and the place in the row.

import SQLite

/// The columns of a query: the order of the cases is that in the row.
protocol ColumnSet: CaseIterable, RawRepresentable<Int> {
  /// What is selected; without a definition of its own it is the name of the case in SQL's spelling.
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

  /// All of them, unchanged between `SELECT` and `FROM`.
  static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

/// A row of such a query. Values are found by their place: a look-up by name costs more than the value.
struct ColumnRow<Columns: ColumnSet> {
  let row: Row

  init(_ row: Row) { self.row = row }

  subscript<Value: DatabaseValueConvertible>(_ column: Columns) -> Value {
    get throws(DatabaseError) { try row[column.rawValue] }
  }
}
