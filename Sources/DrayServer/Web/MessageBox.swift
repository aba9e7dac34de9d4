// Messages of a WebSocket that wait for the program: the loop puts them in, the program takes them out.

internal import Synchronization

/// A queue with one reader. While it is full the loop reads no more from the connection.
final class MessageBox: Sendable {
  private struct State {
    var messages: [WebMessage] = []
    var size = 0
    var isOver = false
    var waiter: CheckedContinuation<WebMessage?, Never>?
  }

  private let state = Mutex(State())
  private let limit: Int
  /// Tells the loop that there is room again.
  private let wake: @Sendable () -> Void

  /// Makes an empty queue.
  init(limit: Int, wake: @escaping @Sendable () -> Void) { (self.limit, self.wake) = (limit, wake) }

  /// Whether the loop should put in no more for now.
  var isFull: Bool { state.withLock { $0.size >= limit } }

  /// Adds a message. Each counts a little, even an empty one.
  func put(_ message: WebMessage) {
    let waiter = state.withLock { state -> CheckedContinuation<WebMessage?, Never>? in
      guard !state.isOver else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.messages.append(message)
      state.size += MessageBox.cost(message)
      return nil
    }
    waiter?.resume(returning: message)
  }

  /// No more will come; what is there can still be taken.
  func finish() {
    let waiter = state.withLock { state -> CheckedContinuation<WebMessage?, Never>? in
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// The next message; nil at the end, and in a task that was cancelled. To be called by one task at a time.
  func next() async -> WebMessage? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let (message, isDecided, mustWake) = state.withLock { state -> (WebMessage?, Bool, Bool) in
          if !state.messages.isEmpty {
            let wasFull = state.size >= limit
            let message = state.messages.removeFirst()
            state.size -= MessageBox.cost(message)
            return (message, true, wasFull && state.size < limit)
          }
          guard !state.isOver, state.waiter == nil, !Task.isCancelled else { return (nil, true, false) }
          state.waiter = waiter
          return (nil, false, false)
        }
        if mustWake { wake() }
        if isDecided { waiter.resume(returning: message) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<WebMessage?, Never>? in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }

  private static func cost(_ message: WebMessage) -> Int { message.size + 64 }
}
