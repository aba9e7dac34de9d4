// Calls of a store that block, for callers that must not.

import Dispatch
import DrayCore
import Threads

/// A connection of a store with a separate thread. The queue is marked with `BlockingThread.mark`.
protocol BlockingDesk {
  /// Runs the calls of callers that must not block.
  var queue: DispatchQueue { get }
}

extension BlockingDesk {
  /// Runs `body` at once on a thread that may block, otherwise on the desk's queue.
  func hop<T: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> T) async throws(Failure) -> T {
    if BlockingThread.isCurrent { return try body() }
    let result: Result<T, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
