// Passes a client's bytes to the parser, as long as the connection has room for the results.

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
  var cutter: (any InputCutter)?
  /// Whether nothing may be passed on.
  var isBlocked: () -> Bool = { false }
  /// Whether bytes are being passed on. Handlers of these bytes need not call ``run()``.
  private(set) var isRunning = false
  /// In bytes.
  private(set) var received = 0
  /// Whether a read from the socket waits until the connection is unblocked.
  private var isHeld = false
  private var context: ChannelHandlerContext?

  init(limits: WebLimits) { cutter = RequestCutter(limits: limits) }

  /// In bytes.
  var held: Int { cutter?.held ?? 0 }

  func requests(_ change: (inout RequestCutter) -> Void) {
    guard var requests = cutter as? RequestCutter else { return }
    change(&requests)
    cutter = requests
  }

  func run() {
    guard !isRunning, let context else { return }
    isRunning = true
    defer { isRunning = false }
    do {
      while !isBlocked(), let piece = try cutter?.next() { context.fireChannelRead(wrapInboundOut(piece)) }
    } catch {
      cutter = nil
      context.fireErrorCaught(error)
    }
    guard isHeld, mayRead else { return }
    isHeld = false
    context.read()
  }

  private var mayRead: Bool { !isBlocked() || cutter?.pending.readableBytes ?? 0 < Self.ahead }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    received += bytes.readableBytes
    guard cutter != nil else { return }
    cutter?.append(bytes)
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
