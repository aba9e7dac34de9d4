// Streams: what the program puts into an outbox goes out as there is room.

/// The program's end of a stream, or of what a WebSocket sends.
final class OutgoingSide {
  let outbox: Outbox
  let isChunked: Bool
  /// What is sent when nothing else was for a while.
  let beat: [UInt8]
  /// The task of the program.
  var task: Task<Void, Never>?
  /// Whether all of it, and its end, was handed to the socket.
  var isOver = false

  init(_ outbox: Outbox, isChunked: Bool, beat: [UInt8]) {
    (self.outbox, self.isChunked, self.beat) = (outbox, isChunked, beat)
  }

  /// The client has gone, or was dropped.
  func end(_ reason: WebGone) {
    outbox.cut(reason)
    task?.cancel()
  }
}

extension Connection {
  /// An outbox of this connection.
  func outbox(complaint: [UInt8]) -> Outbox {
    let (id, orders) = (id, context.orders)
    return Outbox(limit: context.limits.queue, complaint: complaint) { orders.post(.look(id)) }
  }

  /// Begins a stream.
  func stream(
    _ response: WebResponse, _ form: ResponseForm, _ run: @escaping @Sendable (WebStream) async -> Void, now: Double
  ) {
    var form = form
    // The end of the connection is the end of the body for clients that do not know chunks (RFC 9112 §6.3).
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

  /// Puts more of what waits into the output, a message at a time: what has begun is sent whole.
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

  /// The program, or the end of the server, has ended what is sent; or the reader was too slow.
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

  /// Shows a reader that the server is there, and the server whether the reader is.
  func beat(_ bytes: [UInt8], now: Double) {
    guard case .streaming(let side) = phase else { return }
    guard !bytes.isEmpty else { return lastSent = now }
    send(side.isChunked ? Chunk.of(bytes) : bytes, now: now)
    pump(now: now)
  }
}
