// A connection: its state and its events.

internal import Posix

/// A client's connection, confined to the loop's thread.
final class Connection {
  /// The state of a connection.
  enum Phase {
    /// Reading a request or waiting for one.
    case reading
    /// Waiting for the program's answer.
    case answering(RequestHead)
    /// Sending the end of an answer.
    case writing
    /// Sending the program's stream.
    case streaming(OutgoingSide)
    case webSocket(WebSocketSide)
    /// All bytes were sent. For a moment, received bytes are discarded: closing a socket with unread bytes would
    /// discard the answer (RFC 9112 §9.6).
    case lingering
    case closed
  }

  let id: ConnectionID
  let socket: Int32
  let peer: WebPeer
  let door: WebDoor
  let context: LoopContext

  var phase = Phase.reading
  var reader: RequestReader
  var output = OutputBuffer()
  /// Whether the client has authenticated.
  let standing = ClientStanding()
  /// The time of the connection.
  let opened: Double
  /// A delayed answer and its time.
  var delayed: (response: WebResponse, until: Double)?
  /// Whether to keep the connection for another request after this answer.
  var keepsAlive = true
  /// Whether a request was answered.
  var hasServed = false
  /// Whether requests are being read. An immediate answer then returns to the reading loop instead of recursing.
  var isReadingRequests = false
  /// The length in bytes of the request that the program has.
  var handedOut = 0
  /// The start of the phase; in ``Phase/reading``, the start of the request or the end of the last answer.
  var since: Double
  /// The time at which bytes were last sent, or started to wait.
  var lastSent: Double
  /// The number of bytes of this answer that were sent.
  var sent = 0

  init(
    _ id: ConnectionID, _ socket: Int32, peer: WebPeer, door: WebDoor, context: LoopContext, now: Double
  ) {
    (self.id, self.socket, self.peer, self.door, self.context) = (id, socket, peer, door, context)
    (since, lastSent, opened) = (now, now, now)
    reader = RequestReader(limits: context.limits)
  }

  var isClosed: Bool { if case .closed = phase { true } else { false } }
  /// The number of bytes of requests in memory.
  var held: Int { reader.held + handedOut }

  // MARK: Events

  /// Handles a ready socket.
  func ready(_ readiness: Readiness, now: Double) {
    if readiness.contains(.readable) { receive(now: now) }
    if !readiness.isDisjoint(with: .gone), !isClosed, !readiness.contains(.readable) { return close(.left) }
    pump(now: now)
  }

  /// Handles an expired deadline.
  func expire(now: Double) {
    switch phase {
    case .reading where reader.isMidway: refuse(WebRefusal(408, "The request took too long."), now: now)
    case .streaming(let side) where output.isEmpty: beat(side.beat, now: now)
    case .webSocket(let side) where output.isEmpty: expire(side, now: now)
    case .writing, .streaming, .webSocket: drop("it does not read", now: now)
    case .answering where delayed != nil: answerDelayed(now: now)
    case .reading, .lingering, .answering, .closed: close(.left)
    }
  }

  /// Handles a message in the outbox, or room in the box.
  func look(now: Double) {
    if case .webSocket(let side) = phase {
      // Nothing was read while the box was full, so it was no silence.
      if !side.box.isFull { side.lastHeard = now }
      readFrames(now: now)
    }
    pump(now: now)
  }

  // MARK: Bytes

  private func receive(now: Double) {
    do throws(SystemError) {
      switch try System.receive(socket, into: context.scratch) {
      case .bytes(let count): took(UnsafeRawBufferPointer(rebasing: context.scratch[..<count]), now: now)
      case .end: close(.left)
      case .nothing: break
      }
    } catch {
      close(.left)
    }
  }

  private func took(_ bytes: UnsafeRawBufferPointer, now: Double) {
    switch phase {
    case .reading:
      if !reader.isMidway { since = now }
      reader.append(bytes)
      readRequests(now: now)
    case .webSocket(let side):
      side.took(bytes, now: now)
      readFrames(now: now)
    // These phases expect no input.
    case .streaming, .writing, .answering, .lingering, .closed: break
    }
  }

  /// Sends as much as possible and continues with the next step.
  func pump(now: Double) {
    while !isClosed {
      refill(now: now)
      guard !output.isEmpty else { return drained(now: now) }
      do throws(SystemError) {
        let count = try output.drain { bytes throws(SystemError) in try System.send(bytes, to: socket) }
        guard count > 0 else { return }
        (sent, lastSent) = (sent + count, now)
      } catch {
        return close(.left)
      }
    }
  }

  /// Queues bytes to send.
  func send(_ bytes: [UInt8], now: Double) {
    if output.isEmpty { lastSent = now }
    output.append(bytes)
  }

  /// Handles that all queued bytes were sent.
  private func drained(now: Double) {
    guard case .writing = phase else { return }
    guard keepsAlive, !context.isStopping else { return finish(now: now) }
    (phase, since, sent, hasServed) = (.reading, now, 0, true)
    readRequests(now: now)
  }

  // MARK: The end

  /// Shuts down sending, and lingers.
  func finish(now: Double) {
    System.endSending(socket)
    (phase, since) = (.lingering, now)
  }

  /// Drops a client, with a reason for the log.
  func drop(_ reason: String, now: Double) {
    context.settings.report(.dropped(peer, reason: reason))
    close(.tooSlow)
  }

  /// Closes the connection at once.
  func close(_ reason: WebGone) {
    switch phase {
    case .streaming(let side): side.end(reason)
    case .webSocket(let side): side.end(reason)
    case .closed: return
    default: break
    }
    phase = .closed
    System.close(socket)
  }
}
