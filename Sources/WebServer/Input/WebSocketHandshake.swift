// The request for a WebSocket, and its answer (RFC 6455 §4.2).

internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

struct WebSocketHandshake: Equatable {
  /// Base64 of 16 bytes.
  let key: String

  /// Throws ``WebRefusal`` with 426 if the request is not for a WebSocket of this version (§4.4), or with 400 if it is
  /// malformed.
  init(_ head: RequestHead) throws(WebRefusal) {
    guard head.fields.lists("websocket", in: "Upgrade"), head.fields.lists("upgrade", in: "Connection") else {
      throw WebRefusal(426, "This is the address of a WebSocket.")
    }
    guard head.method == "GET", head.version == 1, head.framing == .none else {
      throw WebRefusal(400, "A WebSocket is asked for with GET, HTTP/1.1 and no body.")
    }
    guard head.fields.all("Sec-WebSocket-Version") == ["13"] else {
      throw WebRefusal(426, "Version 13 of WebSocket is spoken here.")
    }
    let keys = head.fields.all("Sec-WebSocket-Key")
    guard keys.count == 1, let key = keys.first, Self.isKey(key.utf8) else {
      throw WebRefusal(400, "Sec-WebSocket-Key is not the base64 of 16 bytes.")
    }
    self.key = key
  }

  /// Whether the text is the base64 of 16 bytes: 22 characters, the last of which carries only two bits, and the
  /// padding.
  private static func isKey(_ text: String.UTF8View) -> Bool {
    let characters = text.prefix(22)
    return text.count == 24 && text.suffix(2).elementsEqual("==".utf8)
      && characters.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
      } && characters.last.map { "AQgw".utf8.contains($0) } ?? false
  }

  /// Returns the fields of the answer 101 that are added to the program's. SwiftNIO's upgrader computes the proof that
  /// this server understood the request (§4.2.2).
  func fields(_ channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/",
      headers: ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"])
    return upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request, initialResponseHeaders: [:])
  }

  /// The fields of an answer 426 (RFC 9110 §15.5.22, RFC 6455 §4.2.2).
  static let offer: WebFields = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
}
