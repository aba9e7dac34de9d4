// Rows, and how they are fetched.

/// A row of a result.
package struct Row {
  private enum Storage {
    /// The row that a cursor stands at. Without the cursor the statement would be reset.
    case current(RowCursor)
    case copied([DatabaseValue], names: [String])
  }

  private let storage: Storage

  /// The row that a cursor stands at; it is another one after the next step.
  init(current cursor: RowCursor) { storage = .current(cursor) }

  /// The row that a statement stands at, copied.
  init(copying statement: Statement, names: [String]) {
    storage = .copied((0..<names.count).map(statement.value), names: names)
  }

  /// How many values it has.
  package var count: Int {
    switch storage {
    case .current(let cursor): cursor.statement.columnCount
    case .copied(let values, _): values.count
    }
  }

  /// The value in a column, counted from 0; one that may be NULL is asked for as an optional.
  /// - Throws: `mismatch` for a value of another type: SQLite keeps any in any column.
  package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws(DatabaseError) {
      guard let decoded = Value.fromDatabaseValue(databaseValue(index)) else {
        throw DatabaseError(mismatch: "column \(name(index)) is not \(Value.self)")
      }
      return decoded
    }
  }

  /// The value in the first column of this name.
  package subscript<Value: DatabaseValueConvertible>(_ wanted: String) -> Value {
    get throws(DatabaseError) {
      guard let index = (0..<count).first(where: { name($0) == wanted }) else {
        throw DatabaseError(mismatch: "no such column: \(wanted)")
      }
      return try self[index]
    }
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

/// Rows one by one. The statement ends with the last row, or with the cursor.
package final class RowCursor {
  fileprivate let statement: Statement
  private var isDone = false

  init(_ statement: Statement, _ arguments: StatementArguments) throws(DatabaseError) {
    self.statement = statement
    try statement.begin(arguments)
  }

  deinit { if !isDone { statement.reset() } }

  /// The next row, which is valid until the one after it is asked for.
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
  /// The rows of a statement, one by one.
  package static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> RowCursor {
    try RowCursor(statement, arguments)
  }

  /// All rows.
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

  /// The first row.
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

/// Results of one column.
extension DatabaseValueConvertible {
  /// All values; none of them may be NULL.
  package static func fetchAll(
    _ statement: Statement, arguments: StatementArguments = []
  ) throws(DatabaseError) -> [Self] {
    let rows = try RowCursor(statement, arguments)
    var values: [Self] = []
    while let row = try rows.next() { values.append(try row[0]) }
    return values
  }

  /// The first value; `nil` where there is none, and where it is NULL.
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
