// Lets a thread wait for the end of an asynchronous call.

#if ObjectStores

internal import Dispatch
internal import DrayCore
internal import Synchronization

/// The result for which a thread waits.
final class Waited<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, Failure>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  func end(_ value: Result<Value, Failure>) {
    result.withLock { $0 = value }
    isDone.signal()
  }

  /// Blocks the thread until the result is available.
  func wait() -> Result<Value, Failure> {
    isDone.wait()
    return result.withLock(\.self) ?? .failure(Failure(.other, "", "it was not run"))
  }
}

#endif
