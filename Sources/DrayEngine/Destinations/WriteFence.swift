// Stops the writes of a runner whose lease may be over, for stores that several machines share (P20).

internal import DrayCore
internal import Synchronization

/// The fence before the writes of a process. Open unless a runner guards it.
///
/// A process that was stopped, or whose machine slept, does not notice that its lease is over. So the fence is checked
/// before each write.
package final class WriteFence: Sendable {
  private let test = Mutex<(@Sendable () -> Bool)?>(nil)

  /// Creates an open fence.
  package init() {}

  /// Guards the fence.
  /// - Parameter isOpen: whether a write is allowed now; `nil` ends the guard. It must not block.
  package func guarded(by isOpen: (@Sendable () -> Bool)?) { test.withLock { $0 = isOpen } }

  /// Checks that a write is allowed now.
  /// - Throws: kind `store` with recovery `wait`.
  func check(_ path: String) throws(Failure) {
    guard let isOpen = test.withLock(\.self), !isOpen() else { return }
    throw Failure(.store, path, "it is not written any more, as the lease of this run may be over", recovery: .wait)
  }
}
