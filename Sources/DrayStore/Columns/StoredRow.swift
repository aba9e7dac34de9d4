// A row of a store's query, read by the cases of its columns.

import DrayCore

import struct FoundationEssentials.UUID

/// A row whose columns have the types that both stores can return. Each store wraps its own rows. Functions that read a
/// row are generic and internal: the compiler makes one for each store, and a column costs no dynamic call.
protocol StoredRow<Columns> {
  associatedtype Columns: ColumnSet

  subscript(_ column: Columns) -> String { get throws }
  subscript(_ column: Columns) -> String? { get throws }
  subscript(_ column: Columns) -> Int64 { get throws }
  subscript(_ column: Columns) -> Int64? { get throws }
  subscript(_ column: Columns) -> Int { get throws }
  subscript(_ column: Columns) -> Double { get throws }
  subscript(_ column: Columns) -> Double? { get throws }
  subscript(_ column: Columns) -> Bool { get throws }

  /// Returns a UUID; `nil` for NULL and for a text that is none.
  func uuid(_ column: Columns) throws -> UUID?
  /// Returns the text of a UUID; `nil` for NULL. It is not checked.
  func uuidText(_ column: Columns) throws -> String?
  /// Returns a list of jobs in ascending order; empty for NULL.
  func jobs(_ column: Columns) throws -> [JobID]
}

extension StoredRow {
  /// Returns a value stored as JSON; `nil` for NULL.
  func json<Value: Codable & Equatable>(_ column: Columns, _: Value.Type = Value.self) throws -> Value? {
    try (self[column] as String?).map { try JSONColumn<Value>.value($0) }
  }

  /// Returns the group of a job; `nil` if it has none.
  func group(_ id: Columns, _ name: Columns) throws -> GroupLabel? {
    let (id, name): (GroupID?, String?) = (try self[id], try self[name])
    return id.map { GroupLabel(id: $0, name: name ?? "") }
  }
}
