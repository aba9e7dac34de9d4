// Keeps calls that block off Swift's own threads, of which there are only as many as cores.

internal import Foundation

/// A thread for calls that block: a serial queue, and the executor of the actors that live on it.
final class BlockingQueue: SerialExecutor {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs `body` on the queue some time.
  func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Runs `body` on the queue and waits for it without blocking.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
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
