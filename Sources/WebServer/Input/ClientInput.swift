// The input that a connection gets from its client.

/// A complete part of a client's input.
enum ClientInput: Equatable {
  /// The head of a request with a body. It is reported once.
  case head(RequestHead)
  /// A request with its body.
  case request(RequestHead, body: [UInt8])
  /// A message of a WebSocket.
  case message(WebMessage)
  case ping([UInt8])
  case pong
  /// The client closes the WebSocket; the code is `nil` if it gave none.
  case close(WebCloseCode?)
}

/// The event that a client sends nothing more.
struct InputEnded: Sendable {}
