internal import DrayCore

/// Values of jobs, found by job number. The values are large, so they are not moved into a dictionary.
struct RowsByID<Value> {
  private var rows: [Value]
  private var places: [JobID: Int]

  init(_ rows: [Value], _ id: (Value) -> JobID) {
    self.rows = rows
    places = Dictionary(zip(rows.lazy.map(id), rows.indices)) { first, _ in first }
  }

  subscript(id: JobID) -> Value? { places[id].map { rows[$0] } }

  /// Replaces the value of a job; `nil` removes it.
  mutating func set(_ id: JobID, to value: Value?) {
    if let value, let place = places[id] { rows[place] = value } else { places[id] = nil }
  }
}
