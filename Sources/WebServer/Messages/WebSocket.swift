// A WebSocket for the program (RFC 6455).

/// An open WebSocket. It is closed when its function returns. If the client leaves, the task is cancelled.
public struct WebSocket: Sendable {
  let outbox: Outbox
  let box: MessageBox

  /// The client's messages, for one reader. While ``WebLimits/unread`` bytes wait, no more are read from the network.
  /// Pings are answered without the program.
  public var messages: WebMessages { WebMessages(box: box) }

  /// Queues a message without waiting. A reader with more than ``WebLimits/queue`` waiting bytes is dropped: the bytes
  /// are discarded, and the WebSocket is closed with 1013 and a reason.
  /// - Throws: ``WebGone``, as do all later calls.
  public func send(_ message: WebMessage) throws(WebGone) { try outbox.put(.frame(message.frame)) }

  /// Waits until the queued messages were passed on. Call this between an answer and the next message, so that no
  /// client is dropped for asking faster than it reads.
  /// - Throws: ``WebGone``.
  public func drained() async throws(WebGone) { try await outbox.drained() }

  /// Closes the WebSocket after the queued messages.
  public func close(_ code: WebCloseCode, _ reason: String = "") {
    outbox.finish(last: .frame(.close(code, reason)))
    box.finish()
  }
}

/// The messages of a WebSocket, in order. They end when it is closed.
public struct WebMessages: AsyncSequence, Sendable {
  let box: MessageBox

  public struct AsyncIterator: AsyncIteratorProtocol {
    let box: MessageBox

    public mutating func next() async -> WebMessage? { await box.next() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> WebMessage? { await box.next() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(box: box) }
}
