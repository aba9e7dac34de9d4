// Runs tasks, and the requests of other threads, on the thread of an event loop.

internal import Dispatch
internal import NIOCore
internal import Synchronization

/// Runs tasks on the loop's thread, so that a request answered from memory never leaves it. Calls that block run
/// elsewhere and return here.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop
  private let isOver = Mutex(false)

  init(_ loop: any EventLoop) { self.loop = loop }

  /// Returns `false` if the loop has ended; `body` is then not run.
  @discardableResult
  func post(_ body: @escaping @Sendable () -> Void) -> Bool {
    // Posted under the lock, so that the loop gets nothing once it shuts down.
    isOver.withLock { isOver in
      if !isOver { loop.execute(body) }
      return !isOver
    }
  }

  /// The loop has ended. Tasks continue on other threads.
  func end() { isOver.withLock { $0 = true } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let runs = post { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    if !runs { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }
}
