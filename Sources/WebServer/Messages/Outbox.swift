// The queue of a stream's or WebSocket's messages, from the program to the loop.

internal import NIOCore
internal import NIOWebSocket
internal import Synchronization

enum OutgoingMessage: Sendable, Equatable {
  case bytes([UInt8])
  case frame(WebSocketFrame)

  /// In bytes.
  var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .frame(let frame): frame.length
    }
  }
}

/// A queue of messages with an end. It does not exceed its limit: a client that reads too slowly is dropped, after a
/// last message that says so.
final class Outbox: Sendable {
  private struct State {
    var messages: [OutgoingMessage] = []
    /// The number of taken messages in `messages`, which are removed from time to time.
    var taken = 0
    var size = 0
    /// The reason why no message can be added; `nil` if one can.
    var end: WebGone?
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0

    var isEmpty: Bool { taken == messages.count }

    mutating func append(_ message: OutgoingMessage) {
      messages.append(message)
      size += message.size
    }

    mutating func removeAll() { (messages, taken, size) = ([], 0, 0) }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state = Mutex(State())
  private let limit: Int
  /// The last message to a reader that is too slow.
  private let complaint: OutgoingMessage
  /// Tells the loop that there is a message.
  private let wake: @Sendable () -> Void

  init(limit: Int, complaint: OutgoingMessage, wake: @escaping @Sendable () -> Void) {
    (self.limit, self.complaint, self.wake) = (limit, complaint, wake)
  }

  // MARK: The program's side

  /// Adds a message without waiting. A message above the limit is accepted only if the queue is empty.
  /// - Throws: ``WebGone``; `tooSlow` if there is no room. Later calls throw the same error.
  func put(_ message: OutgoingMessage) throws(WebGone) {
    let (end, mustWake, waiters) = state.withLock {
      state -> (WebGone?, Bool, [CheckedContinuation<Void, Never>]) in
      if let end = state.end { return (end, false, []) }
      let wasEmpty = state.isEmpty
      if !wasEmpty, state.size + message.size > limit {
        state.removeAll()
        state.append(complaint)
        state.end = .tooSlow
        return (.tooSlow, true, state.takeWaiters())
      }
      state.append(message)
      return (nil, wasEmpty, [])
    }
    for waiter in waiters { waiter.resume() }
    if mustWake { wake() }
    if let end { throw end }
  }

  /// Waits until the loop has taken all messages.
  /// - Throws: ``WebGone`` if the client has left.
  func drained() async throws(WebGone) {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isOver = state.withLock { state in
          guard !state.isEmpty, state.end == nil, !Task.isCancelled else { return true }
          state.waiters[id] = waiter
          return false
        }
        if isOver { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
    if let end = state.withLock(\.end) { throw end }
  }

  /// Ends the queue. Waiting messages are still sent, and then `last`.
  func finish(_ end: WebGone = .ended, last: OutgoingMessage? = nil) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
      guard state.end == nil else { return nil }
      state.end = end
      if let last { state.append(last) }
      return state.takeWaiters()
    }
    guard let waiters else { return }
    for waiter in waiters { waiter.resume() }
    wake()
  }

  // MARK: The loop's side

  enum Taken: Equatable {
    case message(OutgoingMessage)
    case nothing
    /// There are no more messages.
    case over
  }

  func take() -> Taken {
    let (taken, waiters) = state.withLock { state -> (Taken, [CheckedContinuation<Void, Never>]) in
      guard !state.isEmpty else { return (state.end == nil ? .nothing : .over, state.takeWaiters()) }
      let message = state.messages[state.taken]
      state.messages[state.taken] = .bytes([])
      state.taken += 1
      state.size -= message.size
      if state.isEmpty || state.taken > 64 {
        state.messages.removeFirst(state.taken)
        state.taken = 0
      }
      return (.message(message), [])
    }
    for waiter in waiters { waiter.resume() }
    return taken
  }

  var end: WebGone? { state.withLock(\.end) }

  func cut(_ end: WebGone) {
    let waiters = state.withLock { state in
      state.removeAll()
      state.end = state.end ?? end
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}
