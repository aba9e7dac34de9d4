// WebSockets: messages in both directions, pings, and closing.

internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

extension Connection {
  func open(
    _ handshake: WebSocketHandshake, _ fields: WebFields, _ run: @escaping @Sendable (WebSocket) async -> Void
  ) {
    guard let context else { return }
    handshake.fields(context.channel).assumeIsolated().whenSuccess { own in
      var fields = fields
      for field in own { fields[field.name] = field.value }
      self.open(fields, run, context.pipeline.syncOperations)
    }
  }

  private func open(
    _ fields: WebFields, _ run: @escaping @Sendable (WebSocket) async -> Void,
    _ pipeline: ChannelPipeline.SynchronousOperations
  ) {
    output.restart()
    write(.head(head(WebResponse(101, fields), version: 1)))
    flush()
    let outbox = outbox(complaint: .frame(.close(.tryLater, "too slow")))
    let (here, executor) = (NIOLoopBound(self, eventLoop: server.loop), server.executor)
    let box = MessageBox(limit: limits.unread) { executor.post { here.value.look() } }
    let side = WebSocketSide(OutgoingSide(outbox), box, now: server.now)
    phase = .webSocket(side)
    // Run on the loop's thread, because most messages are answered from memory.
    side.outgoing.task = Task(executorPreference: executor) {
      let webSocket = WebSocket(outbox: outbox, box: box)
      await run(webSocket)
      webSocket.close(.normal)
    }
    // The parser leaves after the present turn of the loop. Until then the gate is blocked.
    pipeline.removeHandler(assembler, promise: nil)
    pipeline.removeHandler(encoder, promise: nil)
    pipeline.removeHandler(parser).assumeIsolated().whenSuccess { self.changeHandlers(side, pipeline) }
  }

  private func changeHandlers(_ side: WebSocketSide, _ pipeline: ChannelPipeline.SynchronousOperations) {
    guard case .webSocket = phase else { return }
    gate.cutter = FrameCutter(limits: limits, pending: gate.cutter?.pending ?? ByteBuffer()) { [unowned self] in
      isStranger ? limits.strangerBody : limits.message
    }
    let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: min(limits.message, Int(UInt32.max))))
    do {
      try pipeline.addHandlers([decoder, WebSocketFrameEncoder(), FrameAssembler()], position: .after(gate))
    } catch {
      return close(.left)
    }
    side.isReady = true
    side.heard(received: gate.received, isMidway: isMidway, now: server.now)
    gate.run()
    side.heard(received: gate.received, isMidway: isMidway, now: server.now)
    refill()
    settle()
  }

  func take(_ input: ClientInput, _ side: WebSocketSide) {
    switch input {
    case .message(let message): side.box.put(message)
    case .ping(let payload): pong(payload)
    // The server responds with the same code, after the message being sent (§5.5.1).
    case .close(let code): end(side, .close(code ?? .normal))
    case .pong, .head, .request: break
    }
  }

  /// Answers a ping, unless earlier answers still wait: only the last ping must be answered (§5.5.3).
  private func pong(_ payload: [UInt8]) {
    guard output.waiting < 4 << 10 else { return }
    write(WebSocketFrame(fin: true, opcode: .pong, data: ByteBuffer(bytes: payload)))
    flush()
  }

  /// Ends a WebSocket whose client violates the protocol.
  func end(_ side: WebSocketSide, _ error: FrameError) {
    server.settings.report(.dropped(peer, reason: error.reason))
    end(side, .close(error.code, error.reason))
  }

  /// Sends a last frame. The program can send nothing after it.
  private func end(_ side: WebSocketSide, _ frame: WebSocketFrame) {
    side.end(.left)
    write(frame)
    endWebSocket()
  }

  /// Ends the connection after the written bytes; a server is the one to close first (§7.1.1).
  func endWebSocket() {
    keepsAlive = false
    gate.cutter = nil
    output.restart()
    (phase, since) = (.writing, server.now)
    let sent = server.loop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess {
      guard case .writing = self.phase else { return }
      (self.phase, self.since) = (.lingering, self.server.now)
      self.settle()
    }
    context?.flush()
    context?.close(mode: .output, promise: sent)
    measure()
  }

  /// Sends a ping after a silence. Drops a client that did not answer the last ping, or whose message takes too long.
  func expire(_ side: WebSocketSide) {
    let now = server.now
    if side.pinged != nil { return drop("it does not answer") }
    if side.overdue(limits) <= now { return drop("a message took too long") }
    side.pinged = now
    guard side.isReady else { return }
    write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
    flush()
  }
}
