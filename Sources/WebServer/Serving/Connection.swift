// A connection: its state and its events.

internal import NIOCore
internal import NIOHTTP1

/// A client's connection, confined to the loop's thread. The last handler of its channel.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = ClientInput
  typealias OutboundOut = HTTPServerResponsePart

  enum Phase {
    /// Reading a request or waiting for one.
    case reading
    /// Waiting for the program's answer.
    case answering(RequestHead)
    case writing
    case streaming(OutgoingSide)
    case webSocket(WebSocketSide)
    /// All bytes were sent. Received bytes are discarded for a moment, because closing a socket with unread bytes would
    /// discard the answer (RFC 9112 §9.6).
    case lingering
    case closed
  }

  let server: ServerLoop
  let peer: WebPeer
  let listenerKind: ListenerKind
  let standing = ClientStanding()
  let opened: Double

  let gate: InputGate
  let assembler: RequestAssembler
  let parser: ByteToMessageHandler<HTTPRequestDecoder>
  let encoder: HTTPResponseEncoder
  private(set) var context: ChannelHandlerContext?
  /// Refuses a client because the server is full.
  private let refusal: WebRefusal?

  var phase = Phase.reading
  var output: OutputMeter
  /// The start of the phase; in ``Phase/reading``, the start of the request or the end of the last answer.
  var since: Double
  /// A delayed answer and its time.
  var delayed: (response: WebResponse, until: Double)?
  /// Whether to keep the connection for another request after this answer.
  var keepsAlive = true
  /// Whether a request was answered.
  var hasServed = false
  /// Whether the client sends nothing more.
  var inputHasEnded = false
  /// The length in bytes of the request that was handed to the program.
  var handedOut = 0
  /// Whether a request was incomplete after the last event.
  var wasMidway = false
  /// The bytes of this connection's requests in ``ServerLoop/held``, and the purse in which they are counted.
  var counted = 0
  var countedIn = Purse.stranger
  var timer: Scheduled<Void>?
  var timerDue = Double.infinity

  init(_ server: ServerLoop, peer: WebPeer, listenerKind: ListenerKind, refusal: WebRefusal?) {
    (self.server, self.peer, self.listenerKind, self.refusal) = (server, peer, listenerKind, refusal)
    (opened, since, output) = (server.now, server.now, OutputMeter(now: server.now))
    gate = InputGate(limits: server.limits)
    assembler = RequestAssembler(limits: server.limits, gate: gate)
    parser = RequestAssembler.parser(server.limits)
    var form = HTTPResponseEncoder.Configuration()
    form.automaticallySetFramingHeaders = false
    encoder = HTTPResponseEncoder(configuration: form)
    gate.isBlocked = { [unowned self] in isBlocked }
  }

  func install(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.addHandlers([gate, parser, encoder, assembler, self])
  }

  var isClosed: Bool { if case .closed = phase { true } else { false } }
  var limits: WebLimits { server.limits }
  var isMidway: Bool { gate.isMidway }
  /// The number of bytes of requests in memory.
  var held: Int {
    let unread = if case .webSocket(let side) = phase { side.box.held } else { 0 }
    return gate.held + assembler.held + handedOut + unread
  }
  /// A client that must authenticate and has not.
  var isStranger: Bool { server.settings.evictsStrangers && listenerKind != .socket && !standing.isProved }
  var purse: Purse { listenerKind == .socket ? .local : isStranger ? .stranger : .known }

  /// Whether the client's bytes must wait.
  private var isBlocked: Bool {
    switch phase {
    case .reading, .lingering, .closed: false
    case .answering, .writing, .streaming: true
    case .webSocket(let side): !side.isReady || side.box.isFull
    }
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    close(.left)
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    if let refusal, !isClosed { refuse(refusal) }
    settle()
  }

  func channelInactive(context: ChannelHandlerContext) { close(.left) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), phase) {
    case (.head(let head), .reading): welcome(head)
    case (.request(let head, let body), .reading): take(head, body)
    case (let input, .webSocket(let side)): take(input, side)
    default: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    switch phase {
    case .reading: checkBody()
    case .webSocket(let side):
      side.heard(received: gate.received, isMidway: isMidway, now: server.now)
      checkMessage(side)
    default: break
    }
    settle()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard context.channel.isWritable else { return }
    refill()
    settle()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (error, phase) {
    case (let refusal as WebRefusal, .reading): refuse(refusal)
    case (let error as FrameError, .webSocket(let side)): end(side, error)
    default: close(.left)
    }
    settle()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is InputEnded else { return }
    switch phase {
    // A client that has ended its side still gets its answers.
    case .answering, .writing: inputHasEnded = true
    case .reading, .streaming, .webSocket, .lingering, .closed: close(.left)
    }
  }

  /// Continues when the outbox has a message, or the inbox has room again.
  func look() {
    if case .webSocket(let side) = phase, !side.box.isFull {
      // While the inbox was full, nothing was read from the client. Do not count that time as the client's silence.
      side.lastHeard = server.now
      gate.run()
    }
    refill()
    settle()
  }

  /// Stops the connection: closes an idle one, ends a stream, and answers a started request.
  func stop() {
    switch phase {
    case .reading where !isMidway: close(.stopping)
    case .streaming(let side): side.outbox.finish(.stopping)
    case .webSocket(let side):
      side.outgoing.outbox.finish(.stopping, last: .frame(.close(.goingAway, "the server stops")))
      side.box.finish()
    case .answering: answerDelayed()
    case .reading, .writing, .lingering, .closed: break
    }
    refill()
    settle()
  }

  // MARK: The end

  /// An answer was sent: continues with the next request, or ends.
  func drained() {
    guard case .writing = phase else { return }
    output.measure(0, now: server.now)
    guard keepsAlive, !server.isStopping else { return finish() }
    (phase, since, hasServed, wasMidway) = (.reading, server.now, true, false)
    gate.run()
    // `run` may already have taken in the next request.
    if inputHasEnded, !gate.isRunning, case .reading = phase { close(.left) }
    settle()
  }

  /// Shuts down sending, and lingers.
  func finish() {
    gate.cutter = nil
    (phase, since) = (.lingering, server.now)
    context?.close(mode: .output, promise: nil)
    settle()
  }

  func drop(_ reason: String) {
    server.settings.report(.dropped(peer, reason: reason))
    close(.tooSlow)
  }

  func close(_ reason: WebGone) {
    switch phase {
    case .streaming(let side): side.end(reason)
    case .webSocket(let side): side.end(reason)
    case .closed: return
    default: break
    }
    phase = .closed
    gate.cutter = nil
    timer?.cancel()
    timer = nil
    server.held[countedIn] -= counted
    context?.close(promise: nil)
    server.remove(self)
  }
}
