// Messages of a WebSocket, and the frames that a server sends (RFC 6455).

internal import NIOCore
internal import NIOWebSocket

public enum WebMessage: Sendable, Equatable {
  case text(String)
  case binary([UInt8])

  public var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }

  /// The message as a single frame of a server, which is not masked (§5.1).
  var frame: WebSocketFrame {
    switch self {
    case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    case .binary(let bytes): WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes))
    }
  }
}

/// RFC 6455 §7.4.1.
public struct WebCloseCode: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let normal = WebCloseCode(rawValue: 1000)
  /// The server is stopping, or the page is left.
  public static let goingAway = WebCloseCode(rawValue: 1001)
  /// A frame violated the protocol.
  public static let protocolError = WebCloseCode(rawValue: 1002)
  public static let notText = WebCloseCode(rawValue: 1007)
  /// The peer is not permitted.
  public static let policy = WebCloseCode(rawValue: 1008)
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

extension WebSocketFrame {
  /// The maximum length of a control frame (§5.5).
  static let longestControl = 125

  /// Returns a closing frame (§5.5.1). A reason that is too long is cut between characters.
  static func close(_ code: WebCloseCode, _ reason: String = "") -> WebSocketFrame {
    var text = reason
    while text.utf8.count > longestControl - 2 { text.removeLast() }
    var data = ByteBuffer(integer: code.rawValue)
    data.writeString(text)
    return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
  }
}
