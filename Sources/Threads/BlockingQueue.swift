// Keeps calls that block off Swift's own threads, of which there are only as many as cores.

package import Dispatch
package import DrayCore
internal import Synchronization

/// A thread for calls that block: a serial queue, and the executor of the actors and tasks that live on it.
package final class BlockingQueue: SerialExecutor, TaskExecutor {
  /// The queue itself.
  package let queue: DispatchQueue

  /// Makes one; the label is for people who look at threads.
  package init(_ label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    BlockingThread.mark(queue)
  }

  /// Runs a piece of a task.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  /// Runs `body` on the queue some time.
  package func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Runs `body` on the queue some time; where it waits, what else is on the queue continues.
  package func start(_ body: @escaping @Sendable () async -> Void) { Task(executorPreference: self, operation: body) }

  /// Runs `body` on the queue and waits for it without blocking.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
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

  /// Runs `body` on the queue, and blocks the caller's thread until it is done. Not to be called on the queue itself.
  package func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = Mutex<Result<Value, Failure>>(.failure(Failure(.other, "", "it was not run")))
    let isDone = DispatchSemaphore(value: 0)
    start {
      do throws(Failure) {
        let value = try await body()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    isDone.wait()
    return try result.withLock(\.self).get()
  }

  /// Runs `body` on the queue and waits for it without blocking; where it waits, what else is on the queue continues. What it asks
  /// of the job store is done on the queue, too.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let task = Task(executorPreference: self) { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}

extension BlockingQueue {
  /// Runs `body` on the queue; its failure is a value.
  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }

  /// The same for what waits.
  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }
}
