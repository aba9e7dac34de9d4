// Marks threads that may wait for a store. On these a call runs at once; on others the store's own thread runs it.

package import Dispatch

/// Threads that may block.
package enum BlockingThread {
  private static let key = DispatchSpecificKey<Bool>()

  /// Allows the work of `queue` to block: its calls of a job store run there, without a change of thread.
  package static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  /// Whether the present thread may block.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
