// Stops the writes of a runner whose lease may be over, for stores that several machines share (P20).

internal import DrayCore
internal import Synchronization

/// The fence before the writes of a runner. Open unless the runner guards it.
///
/// A process that was stopped, or whose machine slept, does not notice that its lease has ended, so the fence is
/// checked before each write.
package final class WriteFence: Sendable {
  /// The permission of work that may outlast the guard under which it began. The permission ends with that guard.
  package struct Pass: Sendable {
    /// `nil` if the fence was not guarded.
    fileprivate let number: Int?
    fileprivate var passesAlways = false

    /// For undoing work that no record names yet: no other owner can know of that work, or have taken it over.
    static let undo = Pass(number: nil, passesAlways: true)
  }

  private struct State {
    var isOpen: (@Sendable () -> Bool)?
    var number = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Guards the fence. All passes of earlier guards end.
  /// - Parameter isOpen: Whether a write is allowed now; `nil` ends the guard. It must not block.
  package func guarded(by isOpen: (@Sendable () -> Bool)?) {
    state.withLock { state in
      state.isOpen = isOpen
      state.number += 1
    }
  }

  /// The pass for work that begins now.
  package var pass: Pass { state.withLock { Pass(number: $0.isOpen == nil ? nil : $0.number) } }

  /// Checks that a write is allowed now.
  /// - Parameter pass: The pass of work that began earlier.
  /// - Throws: Kind `store` with recovery `wait`.
  func check(_ path: String, _ pass: Pass? = nil) throws(Failure) {
    if pass?.passesAlways ?? false { return }
    let (isOpen, number) = state.withLock { ($0.isOpen, $0.number) }
    let isCurrent = pass?.number.map { $0 == number } ?? true
    guard !isCurrent || !(isOpen?() ?? true) else { return }
    throw Failure(.store, path, "not written: the lease of this run may be over", recovery: .wait)
  }
}
