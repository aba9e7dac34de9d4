// A connection to either database during one call of a store.

internal import Postgres
internal import SQLite

internal import struct FoundationEssentials.UUID

protocol StoredValue: DatabaseValueConvertible, PostgresConvertible, SendableMetatype {}

extension Int: StoredValue {}
extension Int64: StoredValue {}
extension Double: StoredValue {}
extension Bool: StoredValue {}
extension String: StoredValue {}
extension UUID: StoredValue {}
extension [UInt8]: StoredValue {}
extension Optional: StoredValue where Wrapped: StoredValue {}

/// Runs statements that are written once for both databases. Do not keep a session beyond the call.
protocol StoreSession: SendableMetatype {
  associatedtype Rows: RandomAccessCollection where Rows.Element: SelectedRow

  func rows(_ sql: SQL) throws -> Rows
  func first(_ sql: SQL) throws -> Rows.Element?
  /// Returns the values in the first column of all rows.
  func values<Value: StoredValue>(_ sql: SQL, as type: Value.Type) throws -> [Value]
  /// Returns the number of changed rows.
  @discardableResult func run(_ sql: SQL) throws -> Int
  /// Changes the jobs whose rows of `hot` meet a condition.
  /// - Returns: The number of changed jobs.
  @discardableResult func change(_ set: Assignments, where condition: SQL) throws -> Int
  /// Takes a lock of the store until the end of the transaction.
  func lock(_ lock: StoreLock) throws
  /// Runs statements in order, in one round trip if possible, and returns the rows of each. In SQLite, a statement may
  /// be empty.
  @discardableResult func all(_ statements: [SQL]) throws -> [Rows]
}

/// The locks that transactions of one store take. SQLite needs no such locks, because only one transaction at a time
/// can change the store.
enum StoreLock: Int32 {
  /// Protects adding jobs, and changing columns with which added jobs are compared, so that two programs never add the
  /// same job.
  case adding = 2
  case order = 3
}

extension StoreSession {
  /// Returns the value in the first column of the first row; `nil` if there is no row, or the value is NULL.
  func value<Value: StoredValue>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    guard let row = try first(sql) else { return nil }
    return try row[0] as Value?
  }

  /// Returns the one Boolean that a statement selects.
  func isTrue(_ sql: SQL) throws -> Bool { try value(sql, as: Bool.self) ?? false }
}
