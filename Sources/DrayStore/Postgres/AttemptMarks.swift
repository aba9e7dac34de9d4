#if Postgres

internal import Synchronization

/// Remembers marks in the history of attempts: for each mark, a snapshot of the database. Readers ask which attempts
/// ended after their mark. An attempt was written after a mark if its row exists now but is not visible in the mark's
/// snapshot. Row numbers cannot serve as marks, because transactions do not end in the order of their numbers.
final class AttemptMarks: Sendable {
  /// The number of marks that are remembered; each reader uses only its last one.
  private static let kept: Int64 = 256

  private let state = Mutex<(last: Int64, snapshots: [Int64: String])>((0, [:]))

  subscript(mark: Int64) -> String? { state.withLock { $0.snapshots[mark] } }

  func add(_ snapshot: String) -> Int64 {
    state.withLock { state in
      state.last += 1
      state.snapshots[state.last] = snapshot
      state.snapshots[state.last - AttemptMarks.kept] = nil
      return state.last
    }
  }
}

#endif
