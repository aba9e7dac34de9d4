// Rows, and fetching them.

package struct Row {
  private enum Storage {
    /// The present row of a cursor. The cursor is kept, because without it the statement would be reset.
    case current(RowCursor)
    case copied([DatabaseValue], names: [String])
  }

  private let storage: Storage

  /// Creates the present row of a cursor, which changes with the next step.
  init(current cursor: RowCursor) { storage = .current(cursor) }

  init(copying statement: Statement, names: [String]) {
    storage = .copied((0..<names.count).map(statement.value), names: names)
  }

  package var count: Int {
    switch storage {
    case .current(let cursor): cursor.statement.columnCount
    case .copied(let values, _): values.count
    }
  }

  /// The value in a column, counted from 0. Use an optional type if it may be NULL.
  /// - Throws: `mismatch` for a value of another type: SQLite stores any type in any column.
  package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws(DatabaseError) {
      guard let decoded = Value.fromDatabaseValue(databaseValue(index)) else {
        throw DatabaseError(mismatch: "column \(name(index)) is not \(Value.self)")
      }
      return decoded
    }
  }

  package subscript<Value: DatabaseValueConvertible>(_ wanted: String) -> Value {
    get throws(DatabaseError) {
      guard let index = (0..<count).first(where: { name($0) == wanted }) else {
        throw DatabaseError(mismatch: "no such column: \(wanted)")
      }
      return try self[index]
    }
  }

  // Like the subscript, but not generic. A generic call from another module looks up its types at run time, which costs
  // more than the value itself, and each row of a job has forty values.

  /// `nil` for NULL.
  package func text(_ index: Int) throws(DatabaseError) -> String? {
    switch databaseValue(index) {
    case .text(let text): return text
    case .null: return nil
    default: throw mismatch(index, "String")
    }
  }

  /// `nil` for NULL.
  package func integer(_ index: Int) throws(DatabaseError) -> Int64? {
    let value = databaseValue(index)
    if case .null = value { return nil }
    guard let number = Int64.fromDatabaseValue(value) else { throw mismatch(index, "Int64") }
    return number
  }

  /// `nil` for NULL.
  package func real(_ index: Int) throws(DatabaseError) -> Double? {
    let value = databaseValue(index)
    if case .null = value { return nil }
    guard let number = Double.fromDatabaseValue(value) else { throw mismatch(index, "Double") }
    return number
  }

  private func mismatch(_ index: Int, _ type: String) -> DatabaseError {
    DatabaseError(mismatch: "column \(name(index)) is not \(type)")
  }

  private func databaseValue(_ index: Int) -> DatabaseValue {
    switch storage {
    case .current(let cursor): cursor.statement.value(index)
    case .copied(let values, _): values[index]
    }
  }

  private func name(_ index: Int) -> String {
    switch storage {
    case .current(let cursor): cursor.statement.columnName(index)
    case .copied(_, let names): names[index]
    }
  }
}

/// The rows of a statement, one by one. The statement is reset after the last row, or when the cursor is released.
package final class RowCursor {
  fileprivate let statement: Statement
  private var isDone = false

  init(_ statement: Statement, _ arguments: StatementArguments) throws(DatabaseError) {
    self.statement = statement
    try statement.begin(arguments)
  }

  deinit { if !isDone { statement.reset() } }

  /// Returns the next row, which is valid until the next call; `nil` after the last.
  package func next() throws(DatabaseError) -> Row? {
    guard !isDone else { return nil }
    do throws(DatabaseError) {
      if try statement.step() { return Row(current: self) }
    } catch {
      end()
      throw error
    }
    end()
    return nil
  }

  private func end() {
    isDone = true
    statement.reset()
  }
}

extension Row {
  package static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> RowCursor {
    try RowCursor(statement, arguments)
  }

  package static func fetchAll(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> [Row] {
    try statement.begin(arguments)
    defer { statement.reset() }
    var rows: [Row] = []
    var names: [String] = []
    while try statement.step() {
      if rows.isEmpty { names = (0..<statement.columnCount).map(statement.columnName) }
      rows.append(Row(copying: statement, names: names))
    }
    return rows
  }

  package static func fetchOne(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> Row? {
    try statement.begin(arguments)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Row(copying: statement, names: (0..<statement.columnCount).map(statement.columnName))
  }

  package static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws(DatabaseError) -> RowCursor {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  package static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws(DatabaseError) -> [Row] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  package static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws(DatabaseError) -> Row? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}

/// Results of a single column.
extension DatabaseValueConvertible {
  package static func fetchAll(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> [Self] {
    let rows = try RowCursor(statement, arguments)
    var values: [Self] = []
    while let row = try rows.next() { values.append(try row[0]) }
    return values
  }

  /// `nil` if there is no row, or if its value is NULL.
  package static func fetchOne(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> Self? {
    guard let row = try RowCursor(statement, arguments).next() else { return nil }
    return try row[0] as Self?
  }

  package static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws(DatabaseError) -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  package static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws(DatabaseError) -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}
