// One connection: what it is doing, and what happens to it.

internal import Posix

/// A connection of a client. Everything of it happens on the loop's thread.
final class Connection {
  /// What it is doing.
  enum Phase {
    /// Reading a request, or waiting for one.
    case reading
    /// The program has the request.
    case answering(RequestHead)
    /// Sending the last bytes of an answer.
    case writing
    /// Sending what the program streams.
    case streaming(OutgoingSide)
    case webSocket(WebSocketSide)
    /// All was sent. What still comes is thrown away for a moment: a socket that is closed with bytes unread takes the answer back
    /// (RFC 9112 §9.6).
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
  /// The standing of this client.
  let standing = ClientStanding()
  /// The time at which it connected.
  let opened: Double
  /// A delayed answer and its time.
  var delayed: (response: WebResponse, until: Double)?
  /// Whether the connection is used for another request after this answer.
  var keepsAlive = true
  /// Whether a request was answered.
  var hasServed = false
  /// Whether requests are being read right now: an answer that is there at once leads back to the next request, not deeper.
  var isReadingRequests = false
  /// Bytes of the request that the program has.
  var handedOut = 0
  /// When the phase began; in ``Phase/reading``, when the request began or the last answer ended.
  var since: Double
  /// When bytes last left, or began to wait.
  var lastSent: Double
  /// Bytes of this answer that have left.
  var sent = 0

  init(
    _ id: ConnectionID, _ socket: Int32, peer: WebPeer, door: WebDoor, context: LoopContext, now: Double
  ) {
    (self.id, self.socket, self.peer, self.door, self.context) = (id, socket, peer, door, context)
    (since, lastSent, opened) = (now, now, now)
    reader = RequestReader(limits: context.limits)
  }

  var isClosed: Bool { if case .closed = phase { true } else { false } }
  /// Bytes of requests in memory.
  var held: Int { reader.held + handedOut }

  // MARK: What happens

  /// The socket is ready for something.
  func ready(_ readiness: Readiness, now: Double) {
    if readiness.contains(.readable) { receive(now: now) }
    if !readiness.isDisjoint(with: .gone), !isClosed, !readiness.contains(.readable) { return close(.left) }
    pump(now: now)
  }

  /// The deadline has come.
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

  /// Something waits in the outbox, or there is room in the box.
  func look(now: Double) {
    if case .webSocket(let side) = phase {
      // Nothing was read while the box was full: that was no silence.
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
    // Nothing is expected of the reader of a stream but that it reads.
    case .streaming, .writing, .answering, .lingering, .closed: break
    }
  }

  /// Sends what can be sent, and goes on to what follows.
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

  /// Adds bytes to send; they begin to wait now.
  func send(_ bytes: [UInt8], now: Double) {
    if output.isEmpty { lastSent = now }
    output.append(bytes)
  }

  /// All that there was has been sent.
  private func drained(now: Double) {
    guard case .writing = phase else { return }
    guard keepsAlive, !context.isStopping else { return finish(now: now) }
    (phase, since, sent, hasServed) = (.reading, now, 0, true)
    readRequests(now: now)
  }

  // MARK: The end

  /// Says that nothing more comes, and lingers.
  func finish(now: Double) {
    System.endSending(socket)
    (phase, since) = (.lingering, now)
  }

  /// Drops a client, for the log with a reason.
  func drop(_ reason: String, now: Double) {
    context.settings.report(.dropped(peer, reason: reason))
    close(.tooSlow)
  }

  /// Closes it at once.
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
