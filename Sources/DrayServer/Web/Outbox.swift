// What waits for the reader of a stream or a WebSocket: the program puts messages in, the loop takes them out.

internal import Synchronization

/// A queue of messages with an end. It never grows beyond its limit: a client that reads too slowly is dropped, and told.
final class Outbox: Sendable {
  private struct State {
    var messages: [[UInt8]] = []
    /// How many of `messages` were taken; they are removed now and then.
    var taken = 0
    var size = 0
    /// Why no more is put in.
    var end: WebGone?
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0

    var isEmpty: Bool { taken == messages.count }

    mutating func append(_ message: [UInt8]) {
      messages.append(message)
      size += message.count
    }

    mutating func removeAll() { (messages, taken, size) = ([], 0, 0) }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state = Mutex(State())
  private let limit: Int
  /// What a reader that is too slow gets last.
  private let complaint: [UInt8]
  /// Tells the loop that there is something.
  private let wake: @Sendable () -> Void

  /// Makes an empty queue.
  init(limit: Int, complaint: [UInt8], wake: @escaping @Sendable () -> Void) {
    (self.limit, self.complaint, self.wake) = (limit, complaint, wake)
  }

  // MARK: The program's side

  /// Adds a message and returns at once. One that is larger than the limit has to wait alone.
  /// - Throws: ``WebGone``; `tooSlow` if there is no room, and from then on.
  func put(_ message: [UInt8]) throws(WebGone) {
    let (end, mustWake, waiters) = state.withLock {
      state -> (WebGone?, Bool, [CheckedContinuation<Void, Never>]) in
      if let end = state.end { return (end, false, []) }
      let wasEmpty = state.isEmpty
      if !wasEmpty, state.size + message.count > limit {
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
  /// - Throws: ``WebGone`` if there will be nobody to read them.
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

  /// Ends it: what was put in is still sent, and `last` after it.
  func finish(_ end: WebGone = .ended, last: [UInt8] = []) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
      guard state.end == nil else { return nil }
      state.end = end
      if !last.isEmpty { state.append(last) }
      return state.takeWaiters()
    }
    guard let waiters else { return }
    for waiter in waiters { waiter.resume() }
    wake()
  }

  // MARK: The loop's side

  /// What the loop finds.
  enum Taken: Equatable {
    case message([UInt8])
    /// Nothing now.
    case nothing
    /// Nothing any more.
    case over
  }

  /// Takes the next message.
  func take() -> Taken {
    let (taken, waiters) = state.withLock { state -> (Taken, [CheckedContinuation<Void, Never>]) in
      guard !state.isEmpty else { return (state.end == nil ? .nothing : .over, state.takeWaiters()) }
      let message = state.messages[state.taken]
      state.messages[state.taken] = []
      state.taken += 1
      state.size -= message.count
      if state.isEmpty || state.taken > 64 {
        state.messages.removeFirst(state.taken)
        state.taken = 0
      }
      return (.message(message), [])
    }
    for waiter in waiters { waiter.resume() }
    return taken
  }

  /// Why no more can be put in; nil while it can.
  var end: WebGone? { state.withLock(\.end) }

  /// Throws away what waits: nobody will read it.
  func cut(_ end: WebGone) {
    let waiters = state.withLock { state in
      state.removeAll()
      state.end = state.end ?? end
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}
