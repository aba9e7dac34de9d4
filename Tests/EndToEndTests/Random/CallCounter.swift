// Counts calls.

import Synchronization

/// Numbers from 0 on, for closures.
final class CallCounter: Sendable {
  private let count = Atomic(0)

  /// The next number.
  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
