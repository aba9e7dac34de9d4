// Streams: sends the messages in an outbox as the socket has room.

/// The program's side of a stream or of a WebSocket's output.
final class OutgoingSide {
  let outbox: Outbox
  let isChunked: Bool
  /// The bytes to send after a silence.
  let beat: [UInt8]
  /// The program's task.
  var task: Task<Void, Never>?
  /// Whether the whole stream and its end were passed to the socket.
  var isOver = false

  init(_ outbox: Outbox, isChunked: Bool, beat: [UInt8]) {
    (self.outbox, self.isChunked, self.beat) = (outbox, isChunked, beat)
  }

  /// Ends the stream because the client is gone or was dropped.
  func end(_ reason: WebGone) {
    outbox.cut(reason)
    task?.cancel()
  }
}

extension Connection {
  /// Creates an outbox for this connection.
  func outbox(complaint: [UInt8]) -> Outbox {
    let (id, orders) = (id, context.orders)
    return Outbox(limit: context.limits.queue, complaint: complaint) { orders.post(.look(id)) }
  }

  /// Starts a stream.
  func stream(
    _ response: WebResponse, _ form: ResponseForm, _ run: @escaping @Sendable (WebStream) async -> Void, now: Double
  ) {
    var form = form
    // For clients without chunks, the end of the connection ends the body (RFC 9112 §6.3).
    if !form.isChunked { (form.keepsAlive, keepsAlive) = (false, false) }
    let head = form.head(response.status, context.completed(response.fields), .unknown, date: context.date)
    send(head, now: now)
    guard !form.isHeadOnly else { return phase = .writing }
    let isEvents = response.fields["Content-Type"]?.hasPrefix("text/event-stream") ?? false
    let outbox = outbox(complaint: isEvents ? ServerEvent.dropped : [])
    let side = OutgoingSide(outbox, isChunked: form.isChunked, beat: isEvents ? ServerEvent.beat : [])
    phase = .streaming(side)
    side.task = Task {
      await run(WebStream(outbox: outbox))
      outbox.finish()
    }
  }

  /// Moves waiting messages to the output, one at a time: a started message is sent whole.
  func refill(now: Double) {
    let side: OutgoingSide
    switch phase {
    case .streaming(let found): side = found
    case .webSocket(let found): side = found.outgoing
    default: return
    }
    while output.count < 64 << 10, !side.isOver {
      switch side.outbox.take() {
      case .message(let message): send(side.isChunked ? Chunk.of(message) : message, now: now)
      case .nothing: return
      case .over: endOutgoing(side, now: now)
      }
    }
  }

  /// Ends the output, because the program or the server ended it, or the reader was too slow.
  private func endOutgoing(_ side: OutgoingSide, now: Double) {
    side.isOver = true
    let end = side.outbox.end
    if end == .tooSlow { context.settings.report(.dropped(peer, reason: "it reads too slowly")) }
    if end != .ended { keepsAlive = false }
    side.task?.cancel()
    if side.isChunked { send(Chunk.last, now: now) }
    if case .webSocket(let webSocket) = phase {
      webSocket.box.finish()
      keepsAlive = false
    }
    (phase, since, sent) = (.writing, now, 0)
  }

  /// Sends bytes after a silence, which show each side that the other is there.
  func beat(_ bytes: [UInt8], now: Double) {
    guard case .streaming(let side) = phase else { return }
    guard !bytes.isEmpty else { return lastSent = now }
    send(side.isChunked ? Chunk.of(bytes) : bytes, now: now)
    pump(now: now)
  }
}
