// WebSockets: frames in both directions, pings, and closing.

/// The program's side of a WebSocket.
final class WebSocketSide {
  let outgoing: OutgoingSide
  let box: MessageBox
  var frames: FrameReader
  /// The time at which the client last sent a byte.
  var lastHeard: Double
  /// The time of a ping that was not followed by any byte; `nil` if there is none.
  var pinged: Double?
  /// The time at which the present message started, and the bytes received since.
  var began: Double
  var moved = 0

  init(_ outgoing: OutgoingSide, _ box: MessageBox, _ limits: WebLimits, now: Double) {
    (self.outgoing, self.box, frames) = (outgoing, box, FrameReader(limits: limits))
    (lastHeard, began) = (now, now)
  }

  /// Records bytes received from the client.
  func took(_ bytes: UnsafeRawBufferPointer, now: Double) {
    if !frames.isMidway { (began, moved) = (now, 0) }
    (lastHeard, pinged, moved) = (now, nil, moved + bytes.count)
    frames.append(bytes)
  }

  /// Returns the time at which the WebSocket needs attention.
  func deadline(_ connection: Connection) -> Double {
    let limits = connection.context.limits
    guard connection.output.isEmpty else { return connection.lastSent + limits.stall }
    // While the box is full nothing is read: the program is slow, not the client.
    guard !box.isFull else { return .infinity }
    let message = frames.isMidway ? limits.deadline(from: began, moved: moved) : .infinity
    let silence = pinged.map { $0 + limits.patience } ?? max(lastHeard, connection.lastSent) + limits.beat
    return min(message, silence)
  }

  /// Ends the WebSocket because the client is gone or was dropped.
  func end(_ reason: WebGone) {
    box.finish()
    outgoing.end(reason)
  }
}

extension Connection {
  /// Opens a WebSocket.
  func open(
    _ handshake: WebSocketHandshake, _ fields: WebFields, _ run: @escaping @Sendable (WebSocket) async -> Void,
    now: Double
  ) {
    var fields = context.completed(fields)
    for field in handshake.fields { fields[field.name] = field.value }
    send(ResponseForm().head(101, fields, .none, date: context.date), now: now)
    let outbox = outbox(complaint: WebSocketFrame.close(.tryLater, "too slow"))
    let (id, orders) = (id, context.orders)
    let box = MessageBox(limit: context.limits.unread) { orders.post(.look(id)) }
    let outgoing = OutgoingSide(outbox, isChunked: false, beat: [])
    let side = WebSocketSide(outgoing, box, context.limits, now: now)
    reader.rest.withUnsafeBytes { if !$0.isEmpty { side.took($0, now: now) } }
    reader = RequestReader(limits: context.limits)
    phase = .webSocket(side)
    // Run on the loop's thread, because most messages are answered from memory.
    outgoing.task = Task(executorPreference: orders) {
      let webSocket = WebSocket(outbox: outbox, box: box)
      await run(webSocket)
      webSocket.close(.normal)
    }
    readFrames(now: now)
  }

  /// Reads frames while there is room for their messages.
  func readFrames(now: Double) {
    guard case .webSocket(let side) = phase else { return }
    do throws(FrameError) {
      while !side.box.isFull {
        switch try side.frames.next() {
        case .more: return
        case .message(let message): side.box.put(message)
        case .ping(let payload): pong(payload, now: now)
        case .pong: break
        case .close(let code): return closing(side, code ?? .normal, now: now)
        }
      }
    } catch {
      context.settings.report(.dropped(peer, reason: error.reason))
      endWebSocket(side, WebSocketFrame.close(error.code, error.reason), now: now)
    }
  }

  /// Answers a ping, unless answers to earlier ones still wait: only the last must be answered (§5.5.3).
  private func pong(_ payload: [UInt8], now: Double) {
    guard output.count < 4 << 10 else { return }
    send(WebSocketFrame.bytes(.pong, payload), now: now)
  }

  /// Responds to the client's closing with the same code, after the message being sent (§5.5.1).
  private func closing(_ side: WebSocketSide, _ code: WebCloseCode, now: Double) {
    endWebSocket(side, WebSocketFrame.close(code), now: now)
  }

  /// Sends a last frame after which the program can send nothing. The server closes the connection first (§7.1.1).
  private func endWebSocket(_ side: WebSocketSide, _ frame: [UInt8], now: Double) {
    side.box.finish()
    side.outgoing.end(.left)
    send(frame, now: now)
    keepsAlive = false
    (phase, since, sent) = (.writing, now, 0)
  }

  /// Sends a ping after a silence. Drops a client that did not answer the last one, or whose message takes too long.
  func expire(_ side: WebSocketSide, now: Double) {
    let limits = context.limits
    if side.pinged != nil { return drop("it does not answer", now: now) }
    if side.frames.isMidway, limits.deadline(from: side.began, moved: side.moved) <= now {
      return drop("a message took too long", now: now)
    }
    side.pinged = now
    send(WebSocketFrame.bytes(.ping, []), now: now)
    pump(now: now)
  }
}
