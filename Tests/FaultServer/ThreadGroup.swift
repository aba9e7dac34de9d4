// Threads that can be waited for: blocking calls stay off Swift's own threads.

import Glibc
import Synchronization

/// Starts threads and joins them all.
final class ThreadGroup: Sendable {
  private struct State {
    var running: [Int: pthread_t] = [:]
    var finished: [pthread_t] = []
    var next = 0
  }

  /// The argument of a new thread: its work and its place in the group.
  private final class Start: Sendable {
    let group: ThreadGroup
    let id: Int
    let body: @Sendable () -> Void

    init(group: ThreadGroup, id: Int, body: @escaping @Sendable () -> Void) {
      self.group = group
      self.id = id
      self.body = body
    }
  }

  private let state = Mutex(State())

  /// Runs `body` on a new thread; `false` if the system has none.
  @discardableResult
  func spawn(_ body: @escaping @Sendable () -> Void) -> Bool {
    reap()
    // Under the lock, so that a thread that ends at once finds itself registered.
    return state.withLock { state in
      let start = Start(group: self, id: state.next, body: body)
      state.next += 1
      let argument = Unmanaged.passRetained(start)
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, { run($0) }, argument.toOpaque())
      guard code == 0 else {
        argument.release()
        return false
      }
      state.running[start.id] = thread
      return true
    }

    func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let argument else { return nil }
      let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
      start.body()
      start.group.state.withLock { state in
        if let thread = state.running.removeValue(forKey: start.id) { state.finished.append(thread) }
      }
      return nil
    }
  }

  /// Waits for all threads, also for those started during the wait.
  func joinAll() {
    while let thread = state.withLock({ $0.finished.popLast() ?? $0.running.popFirst()?.value }) {
      pthread_join(thread, nil)
    }
  }

  private func reap() {
    let finished = state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
    for thread in finished { pthread_join(thread, nil) }
  }
}
