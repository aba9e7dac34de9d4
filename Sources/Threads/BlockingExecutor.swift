// Keeps blocking calls off Swift's own threads. Swift has only as many threads as there are cores.

package import Dispatch
package import DrayCore
internal import Synchronization

/// Runs blocking calls, actors and tasks one at a time, on a thread that may block.
package final class BlockingExecutor: SerialExecutor, TaskExecutor {
  /// The queue of Dispatch behind it.
  package let queue: DispatchQueue

  /// Creates an executor. Debuggers show the label.
  package init(_ label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    BlockingThread.mark(queue)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  /// Starts `body` on the executor, and returns at once.
  package func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Starts `body` on the executor, and returns at once. While `body` waits, its other work continues.
  package func start(_ body: @escaping @Sendable () async -> Void) { Task(executorPreference: self, operation: body) }

  /// Runs `body` on the executor and waits for it without blocking.
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

  /// Runs `body` at once if the present thread may block. Otherwise runs it on the executor, and waits for it without
  /// blocking.
  package func call<Value: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    if BlockingThread.isCurrent { return try body() }
    return try await run(body)
  }

  /// Runs `body` on the executor, and blocks the caller's thread until it is done. Must not be called on the executor.
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

  /// Runs `body` on the executor and waits for it without blocking. While `body` waits, its other work continues.
  /// Its calls of the job store also run on the executor.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let task = Task(executorPreference: self) { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}

extension BlockingExecutor {
  /// Runs `body` on the executor, and returns its failure as a value.
  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }

  /// Runs `body`, which may wait, on the executor, and returns its failure as a value.
  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }
}
