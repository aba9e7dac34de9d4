// Checks the headers of a WebSocket's frames (RFC 6455 §5).

internal import NIOCore
internal import NIOWebSocket

struct FrameError: Error, Equatable {
  let code: WebCloseCode
  let reason: String

  init(_ code: WebCloseCode, _ reason: String) { (self.code, self.reason) = (code, reason) }
}

/// Passes on the bytes of a client's frames once their headers are checked.
///
/// SwiftNIO's decoder leaves masks, opcodes, reserved bits, the order of frames and the form of lengths to the program,
/// and keeps the whole payload before it reports a frame.
struct FrameCutter: InputCutter {
  private let limits: WebLimits
  /// The maximum length of a message of this client now.
  private let most: () -> Int
  var pending: ByteBuffer
  /// The number of bytes of the present frame that are still to come.
  private var left = 0
  /// Whether a message is incomplete, the length of its payloads, and the number of its frames.
  private var isOpen = false
  private var size = 0
  private var fragments = 0

  /// - Parameters:
  ///   - pending: The bytes that the client sent after its request.
  ///   - most: The maximum length of a message; `nil` for ``WebLimits/message``.
  init(limits: WebLimits, pending: ByteBuffer, most: (() -> Int)? = nil) {
    (self.limits, self.pending, self.most) = (limits, pending, most ?? { limits.message })
  }

  /// The decoder keeps the payload of an incomplete frame, and the assembler the payloads of an incomplete message.
  var held: Int { pending.readableBytes + (left > 0 || isOpen ? max(size - left, 0) : 0) }

  var isMidway: Bool { pending.readableBytes > 0 || left > 0 || isOpen }

  mutating func next() throws -> ByteBuffer? {
    var count = 0
    if left == 0 {
      guard let header = try header() else { return nil }
      count = header.size
      left = header.length
    }
    let more = min(left, pending.readableBytes - count)
    left -= more
    guard count + more > 0, let piece = pending.readSlice(length: count + more) else { return nil }
    if pending.readableBytes == 0 { pending = ByteBuffer() }
    return piece
  }

  /// Checks the next header, each part as soon as its bytes are there.
  private mutating func header() throws(FrameError) -> (size: Int, length: Int)? {
    let bytes = pending.readableBytesView
    guard bytes.count >= 2 else { return nil }
    let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    guard first & 0x70 == 0 else { throw FrameError(.protocolError, "a reserved bit is set") }
    guard second & 0x80 != 0 else { throw FrameError(.protocolError, "a frame is not masked") }
    let (short, isFinal, isControl) = (Int(second & 0x7F), first & 0x80 != 0, first & 0x8 != 0)
    switch WebSocketOpcode(encodedWebSocketOpcode: first & 0x0F) {
    case .ping, .pong, .connectionClose:
      guard isFinal, short <= WebSocketFrame.longestControl else {
        throw FrameError(.protocolError, "a control frame is too long, or cut")
      }
    // A message ends before the next starts (§5.4).
    case .continuation where isOpen, .text where !isOpen, .binary where !isOpen: break
    case .continuation, .text, .binary: throw FrameError(.protocolError, "a frame is out of order")
    default: throw FrameError(.protocolError, "an unknown opcode")
    }
    let more = short == 127 ? 8 : short == 126 ? 2 : 0
    guard bytes.count >= 2 + more else { return nil }
    let length = try length(short, bytes.dropFirst(2).prefix(more))
    let most = most()
    guard isControl || length <= most - (isOpen ? size : 0) else {
      throw FrameError(.tooBig, "a message is longer than \(most) bytes")
    }
    guard bytes.count >= 6 + more else { return nil }
    if !isControl { try count(length, isFinal: isFinal) }
    return (6 + more, length)
  }

  /// The length must have the shortest encoding (§5.2).
  private func length(_ short: Int, _ bytes: ByteBufferView) throws(FrameError) -> Int {
    guard !bytes.isEmpty else { return short }
    let long = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard long > (bytes.count == 2 ? 125 : 0xFFFF), long <= UInt64(Int64.max) else {
      throw FrameError(.protocolError, "the length of a frame is malformed")
    }
    return Int(long)
  }

  private mutating func count(_ length: Int, isFinal: Bool) throws(FrameError) {
    (size, fragments) = isOpen ? (size + length, fragments + 1) : (length, 1)
    guard fragments <= limits.fragments else {
      throw FrameError(.policy, "a message is cut into too many frames")
    }
    isOpen = !isFinal
  }
}
