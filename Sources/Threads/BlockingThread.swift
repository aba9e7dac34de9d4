// Which threads may wait for a store: on those a call is done at once, on others it is handed to the store's own thread.

package import Dispatch

/// Threads that may block.
package enum BlockingThread {
  private static let key = DispatchSpecificKey<Bool>()

  /// Marks all that runs on `queue` as allowed to block: what it asks of a job store is done there, without a change of thread.
  package static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  /// Whether the thread that runs this is one.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
