// Frames of a WebSocket (RFC 6455 §5) as values.

/// The kind of a frame (§5.2, §11.8).
enum FrameKind: UInt8, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Whether the frame may come between the frames of a message (§5.5).
  var isControl: Bool { rawValue & 0x8 != 0 }
}

/// A WebSocket message.
public enum WebMessage: Sendable, Equatable {
  /// A text message.
  case text(String)
  /// A binary message.
  case binary([UInt8])

  /// The length in bytes.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }

  /// The message as a single frame of a server, which is not masked (§5.1).
  var frame: [UInt8] {
    switch self {
    case .text(let text): WebSocketFrame.bytes(.text, text.utf8)
    case .binary(let bytes): WebSocketFrame.bytes(.binary, bytes)
    }
  }
}

/// The reason for closing a WebSocket (§7.4.1).
public struct WebCloseCode: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: UInt16
  /// Creates a code.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Normal closure.
  public static let normal = WebCloseCode(rawValue: 1000)
  /// The server is stopping, or the page is left.
  public static let goingAway = WebCloseCode(rawValue: 1001)
  /// A frame violated the protocol.
  public static let protocolError = WebCloseCode(rawValue: 1002)
  /// A text is not UTF-8.
  public static let notText = WebCloseCode(rawValue: 1007)
  /// The peer is not permitted.
  public static let policy = WebCloseCode(rawValue: 1008)
  /// A message is too large.
  public static let tooBig = WebCloseCode(rawValue: 1009)
  /// An error in this program.
  public static let failed = WebCloseCode(rawValue: 1011)
  /// The reader is too slow, or the server too busy.
  public static let tryLater = WebCloseCode(rawValue: 1013)

  /// Whether the code may be sent: 1004 to 1006 and 1015 must not (§7.4).
  var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

enum WebSocketFrame {
  /// The maximum length of a control frame (§5.5).
  static let longestControl = 125

  /// Returns a frame of a server (§5.2).
  static func bytes(_ kind: FrameKind, _ payload: some Collection<UInt8>) -> [UInt8] {
    var frame: [UInt8] = []
    let count = payload.count
    frame.reserveCapacity(count + 10)
    frame.append(0x80 | kind.rawValue)
    switch count {
    case ...125: frame.append(UInt8(count))
    case ...0xFFFF: frame += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    default: frame += [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
    frame.append(contentsOf: payload)
    return frame
  }

  /// Returns a closing frame (§5.5.1). A reason that is too long is cut between characters.
  static func close(_ code: WebCloseCode, _ reason: String = "") -> [UInt8] {
    var text = reason
    while text.utf8.count > longestControl - 2 { text.removeLast() }
    return bytes(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(text.utf8))
  }
}
