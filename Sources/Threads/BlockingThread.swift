// Marks threads that may wait for a store. On a marked thread a call runs at once; otherwise the store's own thread
// runs the call.

internal import Dispatch

/// Threads that may block.
package enum BlockingThread {
  private static let key = DispatchSpecificKey<Bool>()

  /// Allows the work of `queue` to block: its calls of a job store run there, without a change of thread.
  static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  /// Whether the present thread may block.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
