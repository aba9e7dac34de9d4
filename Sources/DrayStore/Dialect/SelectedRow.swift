internal import Postgres
internal import SQLite

/// A row of a result, read by the index of its columns.
protocol SelectedRow: SendableMetatype {
  subscript<Value: StoredValue>(_ column: Int) -> Value { get throws }
}
