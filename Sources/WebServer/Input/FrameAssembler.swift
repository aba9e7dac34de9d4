// Joins the frames of a message that the decoder reports (RFC 6455 §5.4).

internal import NIOCore
internal import NIOWebSocket

/// The headers of the frames were checked by ``FrameCutter``.
final class FrameAssembler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = ClientInput

  private var isText = false
  private var message: [UInt8] = []
  private var isOver = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    do throws(FrameError) {
      guard let input = try take(unwrapInboundIn(data)) else { return }
      context.fireChannelRead(wrapInboundOut(input))
    } catch {
      isOver = true
      context.fireErrorCaught(error)
    }
  }

  private func take(_ frame: WebSocketFrame) throws(FrameError) -> ClientInput? {
    let payload = frame.unmaskedData.readableBytesView
    switch frame.opcode {
    case .ping: return .ping(Array(payload))
    case .pong: return .pong
    case .connectionClose: return .close(try closeCode(payload))
    case .continuation: message.append(contentsOf: payload)
    default: (isText, message) = (frame.opcode == .text, Array(payload))
    }
    guard frame.fin else { return nil }
    defer { message = [] }
    guard isText else { return .message(.binary(message)) }
    guard let text = String(validating: message, as: UTF8.self) else {
      throw FrameError(.notText, "a text is not UTF-8")
    }
    return .message(.text(text))
  }

  private func closeCode(_ payload: ByteBufferView) throws(FrameError) -> WebCloseCode? {
    guard !payload.isEmpty else { return nil }
    guard payload.count >= 2 else { throw FrameError(.protocolError, "a close code is cut") }
    let code = WebCloseCode(rawValue: payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
    guard code.isSendable else { throw FrameError(.protocolError, "an invalid close code") }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      throw FrameError(.notText, "a reason is not UTF-8")
    }
    return code
  }
}
