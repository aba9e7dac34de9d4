// The input that a connection gets from its client.

enum ClientInput: Equatable {
  /// Comes before a request with a body, once.
  case head(RequestHead)
  case request(RequestHead, body: [UInt8])
  case message(WebMessage)
  case ping([UInt8])
  case pong
  /// The code is `nil` if the client gave none.
  case close(WebCloseCode?)
}

/// The client sends nothing more.
struct InputEnded: Sendable {}
