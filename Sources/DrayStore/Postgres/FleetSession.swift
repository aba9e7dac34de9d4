// A connection during one call of the store.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

/// Runs statements on the connection of a call. It must not be kept.
struct FleetSession {
  let connection: PostgresConnection
  /// The fences of held jobs, as learnt over this connection.
  var fences = KnownFences()
  /// The longest wait for an answer; `nil` is the usual one.
  var patience: Double?

  /// Runs a statement and returns its rows.
  @discardableResult
  func rows(_ sql: SQL) throws(PostgresError) -> PostgresRows {
    let statement = sql.statement
    return try connection.rows(statement.sql, statement.arguments, within: patience)
  }

  /// Runs a statement and returns its first row.
  func first(_ sql: SQL) throws(PostgresError) -> PostgresRow? { try rows(sql).first }

  /// Runs a statement and returns the value in the first column of its first row; `nil` if there is no row, or NULL.
  func value<Value: PostgresConvertible>(_ sql: SQL, as type: Value.Type = Value.self) throws(PostgresError) -> Value? {
    guard let row = try first(sql) else { return nil }
    return try row[0] as Value?
  }

  /// Runs a statement and returns the values in its first column.
  func values<Value: PostgresConvertible>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws(PostgresError) -> [Value] {
    let rows = try rows(sql)
    var all: [Value] = []
    all.reserveCapacity(rows.count)
    for row in rows { all.append(try row[0]) }
    return all
  }

  /// Runs a statement that selects one Boolean.
  func isTrue(_ sql: SQL) throws(PostgresError) -> Bool { try value(sql, as: Bool.self) ?? false }

  /// Runs a statement.
  /// - Returns: the number of rows that it changed or returned.
  @discardableResult
  func run(_ sql: SQL) throws(PostgresError) -> Int { try rows(sql).changedCount }

  /// Runs statements in one round trip, and returns the rows of each.
  @discardableResult
  func all(_ statements: [SQL]) throws(PostgresError) -> [PostgresRows] {
    try connection.pipeline(statements.map(\.statement), within: patience)
  }

  /// Takes a lock of the fleet until the end of the transaction.
  /// - Parameter isShared: whether others may share it.
  func lock(_ lock: FleetSchema.Lock, isShared: Bool = false) throws(PostgresError) {
    try run(lock.statement(isShared: isShared))
  }
}

/// The columns of a row, by the cases of a ``ColumnSet``.
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
