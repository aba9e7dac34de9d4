#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

/// Runs statements on the connection during one call of the store. Do not keep a session beyond the call.
struct FleetSession {
  let connection: PostgresConnection
  /// The fences of owned jobs, as far as they are known over this connection.
  var fences = KnownFences()
  /// The longest wait for an answer; `nil` for the connection's usual wait.
  var patience: Double?

  @discardableResult
  func rows(_ sql: SQL) throws(PostgresError) -> PostgresRows {
    let statement = sql.statement
    return try connection.rows(statement.sql, statement.arguments, within: patience)
  }

  func first(_ sql: SQL) throws(PostgresError) -> PostgresRow? { try rows(sql).first }

  /// Returns the value in the first column of the first row; `nil` if there is no row, or the value is NULL.
  func value<Value: PostgresConvertible>(_ sql: SQL, as type: Value.Type = Value.self) throws(PostgresError) -> Value? {
    guard let row = try first(sql) else { return nil }
    return try row[0] as Value?
  }

  /// Returns the values in the first column of all rows.
  func values<Value: PostgresConvertible>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws(PostgresError) -> [Value] {
    let rows = try rows(sql)
    var all: [Value] = []
    all.reserveCapacity(rows.count)
    for row in rows { all.append(try row[0]) }
    return all
  }

  /// Returns the one Boolean that a statement selects.
  func isTrue(_ sql: SQL) throws(PostgresError) -> Bool { try value(sql, as: Bool.self) ?? false }

  /// Returns the number of rows that the statement changed or returned.
  @discardableResult
  func run(_ sql: SQL) throws(PostgresError) -> Int { try rows(sql).changedCount }

  /// Runs statements in one round trip, and returns the rows of each.
  @discardableResult
  func all(_ statements: [SQL]) throws(PostgresError) -> [PostgresRows] {
    try connection.pipeline(statements.map(\.statement), within: patience)
  }

  /// Takes a lock of the fleet until the end of the transaction.
  /// - Parameter isShared: Whether other transactions may share the lock.
  func lock(_ lock: FleetSchema.Lock, isShared: Bool = false) throws(PostgresError) {
    try run(lock.statement(isShared: isShared))
  }
}

struct FleetRow<Columns: ColumnSet>: StoredRow {
  let row: PostgresRow

  init(_ row: PostgresRow) { self.row = row }

  subscript<Value: PostgresConvertible>(_ column: Columns) -> Value {
    get throws(PostgresError) { try row[column.rawValue] }
  }

  func uuid(_ column: Columns) throws -> UUID? { try self[column] }

  func uuidText(_ column: Columns) throws -> String? { try (self[column] as UUID?)?.uuidString }

  func jobs(_ column: Columns) throws -> [JobID] { try self[column] as [JobID]? ?? [] }
}

#endif
