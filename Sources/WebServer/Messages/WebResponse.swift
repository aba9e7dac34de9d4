// An answer of the program.

/// How a request is answered.
public enum WebReply: Sendable {
  /// The answer was in memory.
  case now(WebResponse)
  /// The answer needs a task, because it waits for something.
  case later(@Sendable () async -> WebResponse)
}

public struct WebResponse: Sendable {
  public enum Content: Sendable {
    case bytes([UInt8])
    /// A streamed body; see ``WebStream``. It ends when the function returns.
    case stream(@Sendable (WebStream) async -> Void)
    /// A WebSocket (RFC 6455), if the request asks for one. It is closed when the function returns.
    case webSocket(@Sendable (WebSocket) async -> Void)
  }

  public var status: Int
  /// The fields, except those that frame the body.
  public var fields: WebFields
  public var content: Content
  /// The seconds to delay the answer.
  public var delay = 0.0

  public init(_ status: Int, _ fields: WebFields = [:], content: Content) {
    (self.status, self.fields, self.content) = (status, fields, content)
  }

  public init(_ status: Int, _ fields: WebFields = [:], _ body: [UInt8] = []) {
    self.init(status, fields, content: .bytes(body))
  }

  public static func text(_ status: Int, _ text: String, _ fields: WebFields = [:]) -> WebResponse {
    var fields = fields
    fields["Content-Type"] = "text/plain; charset=utf-8"
    return WebResponse(status, fields, Array((text + "\n").utf8))
  }

  /// Server-sent events (HTML Standard, "server-sent events"), one or more in each ``WebStream/send(_:)``. A
  /// client that reads too slowly is disconnected, and its last event is `dropped`.
  public static func events(
    _ fields: WebFields = [:], _ body: @escaping @Sendable (WebStream) async -> Void
  ) -> WebResponse {
    var fields = fields
    fields["Content-Type"] = "text/event-stream; charset=utf-8"
    fields["Cache-Control"] = "no-store"
    // Without this field, nginx would buffer the events.
    fields["X-Accel-Buffering"] = "no"
    return WebResponse(200, fields, content: .stream(body))
  }

  init(_ refusal: WebRefusal) { self = .text(refusal.status, refusal.message) }
}
