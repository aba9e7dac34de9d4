// The queue of a WebSocket's messages, from the loop to the program.

internal import Synchronization

/// A queue with one reader. While it is full, the loop does not read from the connection.
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

  init(limit: Int, wake: @escaping @Sendable () -> Void) { (self.limit, self.wake) = (limit, wake) }

  var isFull: Bool { state.withLock { $0.size >= limit } }

  /// In bytes.
  var held: Int { state.withLock(\.size) }

  /// Even an empty message counts a little.
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

  /// Ends the queue. Waiting messages can still be taken.
  func finish() {
    let waiter = state.withLock { state -> CheckedContinuation<WebMessage?, Never>? in
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// Returns the next message; `nil` at the end, and if the task was cancelled. Only one task at a time may call this.
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
