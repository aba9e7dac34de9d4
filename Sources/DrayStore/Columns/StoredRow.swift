internal import DrayCore

internal import struct FoundationEssentials.UUID

/// A row of a query. The cases of its columns are used to read it, with types that both databases can return. Each
/// store has its own type of row. Functions that read a row are generic and internal, so that the compiler makes one
/// for each store, and reading a column needs no dynamic call.
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

  /// Returns `nil` for NULL, and for a text that is not a UUID.
  func uuid(_ column: Columns) throws -> UUID?
  /// Returns the text as stored, without checking it; `nil` for NULL.
  func uuidText(_ column: Columns) throws -> String?
  /// Returns the numbers in ascending order; empty for NULL.
  func jobs(_ column: Columns) throws -> [JobID]
}

extension StoredRow {
  func json<Value: Codable & Equatable>(_ column: Columns, _: Value.Type = Value.self) throws -> Value? {
    try (self[column] as String?).map { try JSONColumn<Value>.value($0) }
  }

  func group(_ id: Columns, _ name: Columns) throws -> GroupLabel? {
    let (id, name): (GroupID?, String?) = (try self[id], try self[name])
    return id.map { GroupLabel(id: $0, name: name ?? "") }
  }
}
