// Keeps blocking calls off Swift's own threads. Swift has only as many threads as there are cores.

package import Dispatch
package import DrayCore
internal import Synchronization

/// Runs blocking calls, actors and tasks one at a time, on a thread that may block.
package final class BlockingExecutor: SerialExecutor, TaskExecutor {
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

  /// Returns at once.
  package func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Returns at once. While `body` waits, the executor's other work continues.
  package func start(_ body: @escaping @Sendable () async -> Void) { Task(executorPreference: self, operation: body) }

  /// Does not block the caller's thread.
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

  /// Runs `body` at once if the present thread may block. Otherwise runs `body` on the executor, without blocking the
  /// caller's thread.
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

  /// Does not block the caller's thread. While `body` waits, the executor's other work continues. Calls of the job
  /// store in `body` also run on the executor.
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
  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }

  package func attemptRun<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await run(body)) } catch { return .failure(error) }
  }
}
