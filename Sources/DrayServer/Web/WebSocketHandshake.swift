// The request for a WebSocket, and its answer (RFC 6455 §4.2).

internal import Crypto
internal import FoundationEssentials

/// A valid request for a WebSocket.
struct WebSocketHandshake: Equatable {
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The client's key: base64 of 16 bytes.
  let key: String

  /// Checks a request.
  /// - Throws: ``WebRefusal`` with 426 if the request is not for a WebSocket of this version (§4.4), or with 400 if it
  ///   is malformed.
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
    guard keys.count == 1, let key = keys.first, key.utf8.count == 24, Data(base64Encoded: key)?.count == 16 else {
      throw WebRefusal(400, "Sec-WebSocket-Key is not the base64 of 16 bytes.")
    }
    self.key = key
  }

  /// The proof that the server understood the request (§4.2.2).
  var accept: String {
    Data(Insecure.SHA1.hash(data: Data((key + Self.suffix).utf8))).base64EncodedString()
  }

  /// The fields of the answer 101, in addition to the program's.
  var fields: [WebField] {
    [WebField("Upgrade", "websocket"), WebField("Connection", "Upgrade"), WebField("Sec-WebSocket-Accept", accept)]
  }

  /// The fields of an answer 426 (RFC 9110 §15.5.22, RFC 6455 §4.2.2).
  static let offer: WebFields = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
}
