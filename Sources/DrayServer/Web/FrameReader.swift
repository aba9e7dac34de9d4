// Parses the messages of a WebSocket (RFC 6455 §5).

/// The reason for closing a WebSocket.
struct FrameError: Error, Equatable {
  let code: WebCloseCode
  let reason: String

  init(_ code: WebCloseCode, _ reason: String) { (self.code, self.reason) = (code, reason) }
}

/// Parses a client's frames.
struct FrameReader: Sendable {
  /// A complete message or control frame.
  enum Event: Equatable {
    case message(WebMessage)
    case ping([UInt8])
    case pong
    /// The client closes; the code is `nil` if it gave none.
    case close(WebCloseCode?)
    /// More bytes are needed.
    case more
  }

  private struct Header {
    var isFinal: Bool
    var kind: FrameKind
    var length: Int
    var mask: ArraySlice<UInt8>
    var size: Int
  }

  private let longest: Int
  private let mostFragments: Int
  private var pending = ByteQueue()
  /// The kind of the message being received, and its bytes so far.
  private var kind: FrameKind?
  private var message: [UInt8] = []
  private var fragments = 0

  /// Creates a parser for a new connection.
  init(limits: WebLimits) { (longest, mostFragments) = (limits.message, limits.fragments) }

  /// The number of bytes in memory.
  var held: Int { pending.count + message.count }
  /// Whether a frame or a message is incomplete.
  var isMidway: Bool { !pending.isEmpty || kind != nil }

  /// Appends received bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) { pending.append(bytes) }

  /// Returns the next event. Refuses large messages as soon as their length is known.
  mutating func next() throws(FrameError) -> Event {
    while let header = try header() {
      let end = header.size + header.length
      guard pending.count >= end else { return .more }
      let payload = FrameReader.unmasked(pending[header.size..<end], header.mask)
      pending.removeFirst(end)
      if let event = try take(header, payload) { return event }
    }
    return .more
  }

  private func header() throws(FrameError) -> Header? {
    guard pending.count >= 2 else { return nil }
    let (first, second) = (pending[0], pending[1])
    guard first & 0x70 == 0 else { throw FrameError(.protocolError, "a reserved bit is set") }
    guard let kind = FrameKind(rawValue: first & 0x0F) else { throw FrameError(.protocolError, "an unknown opcode") }
    guard second & 0x80 != 0 else { throw FrameError(.protocolError, "a frame is not masked") }
    let short = Int(second & 0x7F)
    let isFinal = first & 0x80 != 0
    guard !kind.isControl || (isFinal && short <= WebSocketFrame.longestControl) else {
      throw FrameError(.protocolError, "a control frame is too long, or cut")
    }
    try checkOrder(kind)
    let more = short == 127 ? 8 : short == 126 ? 2 : 0
    guard pending.count >= 2 + more else { return nil }
    let length = try length(short, pending[2..<(2 + more)])
    guard kind.isControl || length <= longest - message.count else {
      throw FrameError(.tooBig, "a message is longer than \(longest) bytes")
    }
    guard pending.count >= 6 + more else { return nil }
    return Header(
      isFinal: isFinal, kind: kind, length: length, mask: pending[(2 + more)..<(6 + more)], size: 6 + more)
  }

  /// Checks that a message ends before the next starts (§5.4).
  private func checkOrder(_ kind: FrameKind) throws(FrameError) {
    guard !kind.isControl, (kind == .continuation) == (self.kind == nil) else { return }
    throw FrameError(.protocolError, "a frame is out of order")
  }

  /// Returns the length, which must have the shortest encoding (§5.2).
  private func length(_ short: Int, _ bytes: ArraySlice<UInt8>) throws(FrameError) -> Int {
    guard !bytes.isEmpty else { return short }
    let long = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard long > (bytes.count == 2 ? 125 : 0xFFFF), long <= UInt64(Int64.max) else {
      throw FrameError(.protocolError, "the length of a frame is malformed")
    }
    return Int(long)
  }

  private mutating func take(_ header: Header, _ payload: [UInt8]) throws(FrameError) -> Event? {
    switch header.kind {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return .close(try closeCode(payload))
    case .text, .binary, .continuation: break
    }
    kind = kind ?? header.kind
    fragments += 1
    guard fragments <= mostFragments else { throw FrameError(.policy, "a message is cut into too many frames") }
    if message.isEmpty { message = payload } else { message += payload }
    guard header.isFinal else { return nil }
    defer { (kind, message, fragments) = (nil, [], 0) }
    guard kind == .text else { return .message(.binary(message)) }
    guard let text = String(validating: message, as: UTF8.self) else {
      throw FrameError(.notText, "a text is not UTF-8")
    }
    return .message(.text(text))
  }

  private func closeCode(_ payload: [UInt8]) throws(FrameError) -> WebCloseCode? {
    guard !payload.isEmpty else { return nil }
    guard payload.count >= 2 else { throw FrameError(.protocolError, "a close code is cut") }
    let code = WebCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isSendable else { throw FrameError(.protocolError, "an invalid close code") }
    guard String(validating: payload[2...], as: UTF8.self) != nil else {
      throw FrameError(.notText, "a reason is not UTF-8")
    }
    return code
  }

  /// Returns the bytes without their mask (§5.3).
  private static func unmasked(_ bytes: ArraySlice<UInt8>, _ mask: ArraySlice<UInt8>) -> [UInt8] {
    let mask = Array(mask)
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      for (place, byte) in bytes.enumerated() { buffer[place] = byte ^ mask[place & 3] }
      count = bytes.count
    }
  }
}
