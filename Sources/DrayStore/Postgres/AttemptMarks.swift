// The marks up to which ended attempts were counted.

import Synchronization

/// The snapshots of the database behind the marks that a store has given. An attempt counts after a mark if it is there
/// now and was not visible in the mark's snapshot. Row numbers would not do: transactions do not end in the order in
/// which they got their numbers.
final class AttemptMarks: Sendable {
  /// The number of marks that are remembered: each reader uses its last one.
  private static let kept: Int64 = 256

  private let state = Mutex<(last: Int64, snapshots: [Int64: String])>((0, [:]))

  /// Returns the snapshot of a mark; `nil` if it is not remembered.
  subscript(mark: Int64) -> String? { state.withLock { $0.snapshots[mark] } }

  /// Returns a new mark for a snapshot.
  func add(_ snapshot: String) -> Int64 {
    state.withLock { state in
      state.last += 1
      state.snapshots[state.last] = snapshot
      state.snapshots[state.last - AttemptMarks.kept] = nil
      return state.last
    }
  }
}
