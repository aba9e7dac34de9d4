// Sends answers and streams, as the socket has room.

internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

extension Connection {
  // MARK: Whole answers

  /// Sends an answer with its body.
  /// - Parameter request: The head of the request; `nil` if it was refused.
  func send(_ response: WebResponse, to request: RequestHead?) {
    let body = if case .bytes(let bytes) = response.content { bytes } else { [UInt8]() }
    let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
    begin()
    phase = .writing
    let head = head(response, version: request?.version ?? 1, length: hasBody ? body.count : nil)
    if hasBody, !body.isEmpty, request?.method != "HEAD" {
      write(.head(head))
      writeLast(.body(.byteBuffer(ByteBuffer(bytes: body))), body.count)
    } else {
      writeLast(.head(head))
    }
  }

  /// Begins an answer. If the answer closes the connection, further bytes of the client are discarded.
  private func begin() {
    since = server.now
    output.restart()
    if !keepsAlive { gate.cutter = nil }
  }

  func head(
    _ response: WebResponse, version: Int, length: Int? = nil, isChunked: Bool = false
  ) -> HTTPResponseHead {
    var fields = server.completed(response.fields)
    if let length { fields.append(("Content-Length", "\(length)")) }
    if isChunked { fields.append(("Transfer-Encoding", "chunked")) }
    if response.status != 101 {
      if !keepsAlive {
        fields.append(("Connection", "close"))
      } else if version == 0 {
        fields.append(("Connection", "keep-alive"))
      }
    }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: HTTPHeaders(fields))
  }

  // MARK: Streams

  func outbox(complaint: OutgoingMessage) -> Outbox {
    let (here, executor) = (NIOLoopBound(self, eventLoop: server.loop), server.executor)
    return Outbox(limit: limits.queue, complaint: complaint) { executor.post { here.value.look() } }
  }

  func stream(_ response: WebResponse, to head: RequestHead, _ run: @escaping @Sendable (WebStream) async -> Void) {
    // For clients without chunks, the end of the connection ends the body (RFC 9112 §6.3).
    let isChunked = head.version == 1
    if !isChunked { keepsAlive = false }
    begin()
    let start = HTTPServerResponsePart.head(self.head(response, version: head.version, isChunked: isChunked))
    guard head.method != "HEAD" else {
      phase = .writing
      return writeLast(start)
    }
    write(start)
    flush()
    let isEvents = response.fields["Content-Type"]?.hasPrefix("text/event-stream") ?? false
    let outbox = outbox(complaint: .bytes(isEvents ? ServerEvent.dropped : []))
    let side = OutgoingSide(outbox, beat: isEvents ? ServerEvent.beat : [])
    phase = .streaming(side)
    side.task = Task {
      await run(WebStream(outbox: outbox))
      outbox.finish()
    }
  }

  /// Moves waiting messages to the channel, one at a time: a started message is sent whole.
  func refill() {
    let side: OutgoingSide
    switch phase {
    case .streaming(let found): side = found
    case .webSocket(let found) where found.isReady: side = found.outgoing
    default: return
    }
    var isMore = true
    while isMore, !side.isOver, !isClosed, context?.channel.isWritable ?? false {
      switch side.outbox.take() {
      case .message(.bytes(let bytes)): write(bytes)
      case .message(.frame(let frame)): write(frame)
      case .nothing: isMore = false
      case .over: endOutgoing(side)
      }
    }
    if !side.isOver { flush() }
  }

  /// The program or the server has ended the output, or the reader was too slow.
  private func endOutgoing(_ side: OutgoingSide) {
    side.isOver = true
    let end = side.outbox.end
    if end == .tooSlow { server.settings.report(.dropped(peer, reason: "it reads too slowly")) }
    if end != .ended { keepsAlive = false }
    side.task?.cancel()
    if case .webSocket(let webSocket) = phase {
      webSocket.box.finish()
      return endWebSocket()
    }
    output.restart()
    (phase, since) = (.writing, server.now)
    writeLast(.end(nil))
  }

  /// Sends bytes after a silence, so that each side notices when the other is gone.
  func beat(_ side: OutgoingSide) {
    guard !side.beat.isEmpty else { return output.pass(now: server.now) }
    write(side.beat)
    flush()
  }

  // MARK: Bytes

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    write(.body(.byteBuffer(ByteBuffer(bytes: bytes))), bytes.count)
  }

  func write(_ part: HTTPServerResponsePart, _ count: Int = 0) {
    output.give(count, now: server.now)
    context?.write(wrapOutboundOut(part), promise: nil)
  }

  func write(_ frame: WebSocketFrame) {
    output.give(frame.length, now: server.now)
    context?.write(NIOAny(frame), promise: nil)
  }

  /// Writes the last part of an answer, and continues once all was sent.
  private func writeLast(_ part: HTTPServerResponsePart, _ count: Int = 0) {
    guard let context else { return }
    output.give(count, now: server.now)
    let sent = server.loop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { self.drained() }
    context.write(wrapOutboundOut(part), promise: sent)
    flush()
  }

  func flush() {
    context?.flush()
    measure()
  }

  /// Asks the channel how much waits there. Most answers are sent at once, and then there is nothing to ask for.
  func measure() {
    if case .reading = phase, output.waiting == 0 { return }
    guard !isClosed, let options = context?.channel.syncOptions else { return }
    guard let waiting = try? options.getOption(.bufferedWritableBytes) else { return }
    output.measure(waiting, now: server.now)
  }
}

extension String {
  /// The value of a field, in which no other field can start (RFC 9110 §5.5).
  var onOneLine: String {
    guard utf8.contains(where: \.isControl) else { return self }
    return String(decoding: utf8.map { $0.isControl ? 0x20 : $0 }, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether a field value must not contain it.
  fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
