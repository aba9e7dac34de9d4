// Passes a client's bytes to the parser while the connection has room for the results.

internal import NIOCore

/// The first handler of a connection: cuts the bytes, and stops reading while the connection is blocked.
///
/// Bytes that arrive then stay in the socket's buffer. The end of the client's input is passed on as ``InputEnded``,
/// because SwiftNIO's own event would end the parsers.
final class InputGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The number of pending bytes up to which a blocked connection is read, so that a client's departure is noticed.
  private static let ahead = 16 << 10

  /// The cutter of the present protocol; `nil` if received bytes are discarded.
  var cutter: (any InputCutter)? {
    get { if let requests { requests } else { frames } }
    set { (requests, frames) = (newValue as? RequestCutter, newValue as? FrameCutter) }
  }
  /// The cutter of requests and the cutter of frames; only one of them exists. Two properties of concrete types allow
  /// changes in place, several for each request.
  private var requests: RequestCutter?
  private var frames: FrameCutter?
  /// Whether nothing may be passed on.
  var isBlocked: () -> Bool = { false }
  /// Whether bytes are being passed on. Handlers of these bytes need not call ``run()``.
  private(set) var isRunning = false
  /// In bytes.
  private(set) var received = 0
  /// Whether a read from the socket waits until the connection is unblocked.
  private var isHeld = false
  private var context: ChannelHandlerContext?

  init(limits: WebLimits) { requests = RequestCutter(limits: limits) }

  /// In bytes.
  var held: Int { requests?.held ?? frames?.held ?? 0 }
  /// Whether a request or a frame is incomplete.
  var isMidway: Bool { requests?.isMidway ?? frames?.isMidway ?? false }
  /// Whether the body of a request is incomplete.
  var isInBody: Bool { requests?.isInBody ?? false }

  /// The parser has the head of a request.
  func begin(_ framing: BodyFraming) { requests?.begin(framing) }

  /// The parser has the whole request.
  func finish() { requests?.finish() }

  private func next() throws -> ByteBuffer? {
    if requests != nil { try requests?.next() } else { try frames?.next() }
  }

  func run() {
    guard !isRunning, let context else { return }
    isRunning = true
    defer { isRunning = false }
    do {
      while !isBlocked(), let piece = try next() { context.fireChannelRead(wrapInboundOut(piece)) }
    } catch {
      cutter = nil
      context.fireErrorCaught(error)
    }
    guard isHeld, mayRead else { return }
    isHeld = false
    context.read()
  }

  private var mayRead: Bool { !isBlocked() || pending < Self.ahead }
  private var pending: Int { requests?.pending.readableBytes ?? frames?.pending.readableBytes ?? 0 }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    received += bytes.readableBytes
    if requests != nil {
      requests?.append(bytes)
    } else if frames != nil {
      frames?.append(bytes)
    } else {
      return
    }
    run()
  }

  func read(context: ChannelHandlerContext) {
    isHeld = !mayRead
    if !isHeld { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    context.fireUserInboundEventTriggered(InputEnded())
  }
}
