internal import DrayCore
internal import Synchronization

/// Stops the writes of a runner whose lease may be over, for stores that several machines share (P20). It allows all
/// writes, unless the runner guards it.
///
/// A process that was stopped, or whose machine slept, does not notice the end of its lease, so the fence is checked
/// before each write.
package final class WriteFence: Sendable {
  /// The permission for work that may go on after the guard under which it began. It ends with that guard.
  package struct Pass: Sendable {
    /// The number of the guard; `nil` if there was none.
    fileprivate let number: Int?
    fileprivate var passesAlways = false

    /// For undoing work that no record names yet, so that no other owner can know of it.
    static let undo = Pass(number: nil, passesAlways: true)
  }

  private struct State {
    var isOpen: (@Sendable () -> Bool)?
    var number = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Guards the fence, and ends all passes of earlier guards.
  /// - Parameter isOpen: Returns whether a write is allowed now, without blocking; `nil` ends the guard.
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
