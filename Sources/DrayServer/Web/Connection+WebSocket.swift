// WebSockets: frames in and out, pings, and the end.

/// The program's end of a WebSocket.
final class WebSocketSide {
  let outgoing: OutgoingSide
  let box: MessageBox
  var frames: FrameReader
  /// When the client last sent something.
  var lastHeard: Double
  /// When a ping was sent that nothing has followed.
  var pinged: Double?
  /// When the message that is being read began, and the bytes that came since.
  var began: Double
  var moved = 0

  init(_ outgoing: OutgoingSide, _ box: MessageBox, _ limits: WebLimits, now: Double) {
    (self.outgoing, self.box, frames) = (outgoing, box, FrameReader(limits: limits))
    (lastHeard, began) = (now, now)
  }

  /// Takes bytes of the client.
  func took(_ bytes: UnsafeRawBufferPointer, now: Double) {
    if !frames.isMidway { (began, moved) = (now, 0) }
    (lastHeard, pinged, moved) = (now, nil, moved + bytes.count)
    frames.append(bytes)
  }

  /// When something has to be done about it.
  func deadline(_ connection: Connection) -> Double {
    let limits = connection.context.limits
    guard connection.output.isEmpty else { return connection.lastSent + limits.stall }
    // While the box is full nothing is read: the program is the slow one.
    guard !box.isFull else { return .infinity }
    let message = frames.isMidway ? limits.deadline(from: began, moved: moved) : .infinity
    let silence = pinged.map { $0 + limits.patience } ?? max(lastHeard, connection.lastSent) + limits.beat
    return min(message, silence)
  }

  /// The client has gone, or was dropped.
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
    // On the loop's thread: most messages are answered from memory.
    outgoing.task = Task(executorPreference: orders) {
      let webSocket = WebSocket(outbox: outbox, box: box)
      await run(webSocket)
      webSocket.close(.normal)
    }
    readFrames(now: now)
  }

  /// Reads frames as long as there is room for what they say.
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

  /// Answers a ping. One that comes while answers to others wait still is left out: only the last must be answered (§5.5.3).
  private func pong(_ payload: [UInt8], now: Double) {
    guard output.count < 4 << 10 else { return }
    send(WebSocketFrame.bytes(.pong, payload), now: now)
  }

  /// The client closes: it gets its code back, after what has begun to be sent (§5.5.1).
  private func closing(_ side: WebSocketSide, _ code: WebCloseCode, now: Double) {
    endWebSocket(side, WebSocketFrame.close(code), now: now)
  }

  /// Sends a last frame; nothing of the program's follows. The server closes the connection first (§7.1.1).
  private func endWebSocket(_ side: WebSocketSide, _ frame: [UInt8], now: Double) {
    side.box.finish()
    side.outgoing.end(.left)
    send(frame, now: now)
    keepsAlive = false
    (phase, since, sent) = (.writing, now, 0)
  }

  /// Sends a ping after a silence; gives up who answered nothing to the last one, or takes too long for a message.
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
