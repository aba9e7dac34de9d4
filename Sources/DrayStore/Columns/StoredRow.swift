internal import DrayCore

internal import struct FoundationEssentials.UUID

/// A row of a query, read by the cases of its columns, whose types both databases can return. Each store wraps its own
/// rows. Functions that read a row are generic and internal: the compiler makes one for each store, so that a column
/// costs no dynamic call.
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

  /// Returns `nil` for NULL, and for a text that is no UUID.
  func uuid(_ column: Columns) throws -> UUID?
  /// Returns `nil` for NULL. The text is not checked.
  func uuidText(_ column: Columns) throws -> String?
  /// In ascending order; empty for NULL.
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
