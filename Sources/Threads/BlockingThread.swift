// Marks threads that may wait for a store. A call of the store runs at once on a marked thread, and on the store's own
// thread otherwise.

internal import Dispatch

package enum BlockingThread {
  private static let key = DispatchSpecificKey<Bool>()

  /// Calls of a job store by the queue's work then run on the queue, without a change of thread.
  static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
