internal import DrayCore
internal import Synchronization

/// Stops the writes of a runner whose lease may be over, for stores that several machines share (P20). The fence allows
/// all writes, unless the runner guards it.
///
/// A process that was paused, or whose machine slept, does not notice the end of its lease. The fence is therefore
/// checked before each write.
package final class WriteFence: Sendable {
  /// The permission for work that may continue after the task in which it began. The permission ends with the guard
  /// under which the work began.
  package struct Pass: Sendable {
    /// The number of the guard; `nil` if the fence was not guarded.
    fileprivate let number: Int?
    fileprivate var passesAlways = false

    /// The permission to undo work that no record names yet, so that no other owner can know of that work.
    static let undo = Pass(number: nil, passesAlways: true)
  }

  private struct State {
    var isOpen: (@Sendable () -> Bool)?
    var number = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Starts to guard the fence, and ends all passes of earlier guards.
  /// - Parameter isOpen: Returns, without blocking, whether a write is allowed now; `nil` ends the guard.
  package func guarded(by isOpen: (@Sendable () -> Bool)?) {
    state.withLock { state in
      state.isOpen = isOpen
      state.number += 1
    }
  }

  /// The pass for work that begins now.
  package var pass: Pass { state.withLock { Pass(number: $0.isOpen == nil ? nil : $0.number) } }

  /// Checks that a write is allowed now.
  /// - Parameter pass: The pass of work that began earlier; `nil` for work that begins now.
  /// - Throws: Kind `store` with recovery `wait`.
  func check(_ path: String, _ pass: Pass? = nil) throws(Failure) {
    if pass?.passesAlways ?? false { return }
    let (isOpen, number) = state.withLock { ($0.isOpen, $0.number) }
    let isCurrent = pass?.number.map { $0 == number } ?? true
    guard !isCurrent || !(isOpen?() ?? true) else { return }
    throw Failure(.store, path, "not written: the lease of this run may be over", recovery: .wait)
  }
}
