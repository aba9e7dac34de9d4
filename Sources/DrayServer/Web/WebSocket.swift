// A WebSocket as the program uses it (RFC 6455).

/// An open WebSocket. It is closed when the function that got it returns; when the client goes, its task is cancelled.
public struct WebSocket: Sendable {
  let outbox: Outbox
  let box: MessageBox

  /// The messages of the client, for one reader. While ``WebLimits/unread`` bytes wait no more are read from the network. Pings
  /// are answered without the program.
  public var messages: WebMessages { WebMessages(box: box) }

  /// Queues a message and returns at once. A reader for whom ``WebLimits/queue`` bytes wait already is dropped: what waits is
  /// thrown away, and the WebSocket closed with 1013 and a reason.
  /// - Throws: ``WebGone``, also each time from then on.
  public func send(_ message: WebMessage) throws(WebGone) { try outbox.put(message.frame) }

  /// Waits until what was queued is on its way. Whoever answers messages does so before taking the next one: then no client
  /// is dropped for asking faster than it reads.
  /// - Throws: ``WebGone``.
  public func drained() async throws(WebGone) { try await outbox.drained() }

  /// Closes it after what was queued.
  public func close(_ code: WebCloseCode, _ reason: String = "") {
    outbox.finish(last: WebSocketFrame.close(code, reason))
    box.finish()
  }
}

/// The messages of a WebSocket, in order; they end when it is closed.
public struct WebMessages: AsyncSequence, Sendable {
  let box: MessageBox

  /// Takes messages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let box: MessageBox

    /// The next message; nil at the end.
    public mutating func next() async -> WebMessage? { await box.next() }

    /// The next message; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> WebMessage? { await box.next() }
  }

  /// The one reader.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(box: box) }
}
