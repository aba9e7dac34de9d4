import Postgres
import SQLite

/// A row of a result, read by the places of its columns.
protocol SelectedRow: SendableMetatype {
  subscript<Value: StoredValue>(_ column: Int) -> Value { get throws }
}
