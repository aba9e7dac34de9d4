// A connection of either database during one call of a store.

import Postgres
import SQLite

import struct FoundationEssentials.UUID

/// A type of values that both databases store.
protocol StoredValue: DatabaseValueConvertible, PostgresConvertible, SendableMetatype {}

extension Int: StoredValue {}
extension Int64: StoredValue {}
extension Double: StoredValue {}
extension Bool: StoredValue {}
extension String: StoredValue {}
extension UUID: StoredValue {}
extension [UInt8]: StoredValue {}
extension Optional: StoredValue where Wrapped: StoredValue {}

/// Runs statements that are written once for both databases. It must not be kept.
protocol StoreSession: SendableMetatype {
  associatedtype Rows: RandomAccessCollection where Rows.Element: SelectedRow

  /// Runs a statement and returns its rows.
  func rows(_ sql: SQL) throws -> Rows
  /// Runs a statement and returns its first row.
  func first(_ sql: SQL) throws -> Rows.Element?
  /// Runs a statement and returns the values in its first column.
  func values<Value: StoredValue>(_ sql: SQL, as type: Value.Type) throws -> [Value]
  /// Runs a statement that changes rows.
  /// - Returns: their number.
  @discardableResult func run(_ sql: SQL) throws -> Int
  /// Changes the jobs whose rows of `hot` meet a condition.
  /// - Returns: their number.
  @discardableResult func change(_ set: Assignments, where condition: SQL) throws -> Int
  /// Takes a lock of the store until the end of the transaction.
  func lock(_ lock: StoreLock) throws
  /// Runs statements in order, if possible in one round trip, and returns the rows of each. In SQLite, a statement may be
  /// empty.
  @discardableResult func all(_ statements: [SQL]) throws -> [Rows]
}

/// A lock that transactions of one store take, unless only one of them at a time can change it.
enum StoreLock: Int32 {
  /// Adds jobs, or changes what an added job is compared with: two programs never add the same job.
  case adding = 2
  /// Changes the order of the queue.
  case order = 3
}

extension StoreSession {
  /// Runs a statement and returns the value in the first column of its first row; `nil` if there is no row, or NULL.
  func value<Value: StoredValue>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    guard let row = try first(sql) else { return nil }
    return try row[0] as Value?
  }

  /// Runs a statement that selects one Boolean.
  func isTrue(_ sql: SQL) throws -> Bool { try value(sql, as: Bool.self) ?? false }
}
