/// The columns that a query selects. Each column is declared once as a case, which gives its name in SQL and its index
/// in the row.
protocol ColumnSet: CaseIterable, RawRepresentable<Int> {}

extension ColumnSet {
  /// The name of the case with underscores: `fileName` is `file_name`.
  var name: String {
    "\(self)".reduce(into: "") { name, letter in
      if letter.isUppercase { name += "_" }
      name += letter.lowercased()
    }
  }

  /// Returns the list between `SELECT` and `FROM`.
  /// - Parameter sql: Returns the expression to select for a column; `nil` for the column itself.
  static func list(_ sql: (Self) -> String?) -> String {
    allCases.map { sql($0) ?? $0.name }.joined(separator: ", ")
  }
}
