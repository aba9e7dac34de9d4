// An answer as the rest of the room makes it.

/// An answer: status, fields, and what follows.
public struct WebResponse: Sendable {
  /// What follows the head.
  public enum Content: Sendable {
    /// All of the body.
    case bytes([UInt8])
    /// A body that is written as things happen; see ``WebStream``. It ends when the function returns.
    case stream(@Sendable (WebStream) async -> Void)
    /// A WebSocket (RFC 6455), if the request asks for one; it is closed when the function returns.
    case webSocket(@Sendable (WebSocket) async -> Void)
  }

  /// The status.
  public var status: Int
  /// The fields, without those that say how the body is transferred.
  public var fields: WebFields
  /// What follows.
  public var content: Content
  /// Seconds to delay the answer.
  public var delay = 0.0

  /// Makes an answer.
  public init(_ status: Int, _ fields: WebFields = [:], content: Content) {
    (self.status, self.fields, self.content) = (status, fields, content)
  }

  /// Makes an answer with a body of bytes.
  public init(_ status: Int, _ fields: WebFields = [:], _ body: [UInt8] = []) {
    self.init(status, fields, content: .bytes(body))
  }

  /// Makes an answer with a line of text.
  public static func text(_ status: Int, _ text: String, _ fields: WebFields = [:]) -> WebResponse {
    var fields = fields
    fields["Content-Type"] = "text/plain; charset=utf-8"
    return WebResponse(status, fields, Array((text + "\n").utf8))
  }

  /// Makes an answer of server-sent events (HTML Standard, "server-sent events"); each ``WebStream/send(_:)`` has one or more of them.
  /// A slow reader that is dropped gets the event `dropped` last.
  public static func events(
    _ fields: WebFields = [:], _ body: @escaping @Sendable (WebStream) async -> Void
  ) -> WebResponse {
    var fields = fields
    fields["Content-Type"] = "text/event-stream; charset=utf-8"
    fields["Cache-Control"] = "no-store"
    // nginx would gather the events otherwise.
    fields["X-Accel-Buffering"] = "no"
    return WebResponse(200, fields, content: .stream(body))
  }

  /// What the layer itself answers to a request that cannot be carried out.
  init(_ refusal: WebRefusal) { self = .text(refusal.status, refusal.message) }
}

/// Why a request is not carried out: nothing of it reaches the program.
public struct WebRefusal: Error, Sendable, Equatable {
  /// The status of the answer.
  public let status: Int
  /// A sentence for who sent it.
  public let message: String

  init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}
