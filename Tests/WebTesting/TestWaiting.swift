// Waiting in tests, never longer than a minute.

internal import Posix
internal import Synchronization

/// Runs `body` on a separate thread, where it may block, unlike on Swift's own threads.
package func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { waiter in
    do throws(SystemError) {
      try System.startThread("test", stackSize: 1 << 20) { waiter.resume(with: Result { try body() }) }
    } catch {
      waiter.resume(throwing: error)
    }
  }
}

/// Something that tasks wait for.
package final class TestGate: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  package init() {}

  /// Lets the tasks go on.
  package func open() { continuation.finish() }

  /// Waits until the gate is open.
  package func wait() async {
    // For a cancelled task the stream ends at once, so another task waits.
    await Task { for await _ in stream {} }.value
  }
}

/// Does something on another thread, and does not wait for it.
package func onOtherThread(_ body: @escaping () -> Void) throws {
  nonisolated(unsafe) let body = body
  try System.startThread("test", stackSize: 1 << 20) { body() }
}

/// Waits until something holds, at most a minute. Call it on a thread that may block.
/// - Returns: Whether it holds.
@discardableResult
package func waitUntil(_ holds: () throws -> Bool) rethrows -> Bool {
  let end = System.now + 60
  while System.now < end {
    if try holds() { return true }
    pause(0.01)
  }
  return try holds()
}

/// Lets other threads run for a moment.
package func pause(_ seconds: Double) {
  var watch = System.Watch()
  watch.wait(seconds)
}

/// Waits for the first element of a stream, at most a minute. Call it on a thread that may block.
package func firstElement<E: Sendable>(_ stream: AsyncStream<E>) throws -> E {
  let found = Found<E>()
  Task { for await element in stream { return found.set(element) } }
  guard waitUntil({ found.value != nil }), let value = found.value else { throw NothingCame() }
  return value
}

/// A wait was in vain.
private struct NothingCame: Error {}

/// A value that a thread waits for.
private final class Found<E: Sendable>: Sendable {
  private let state = Mutex<E?>(nil)

  var value: E? { state.withLock { $0 } }

  func set(_ element: E) { state.withLock { $0 = element } }
}
