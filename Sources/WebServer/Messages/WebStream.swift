// A streamed body.

/// The writing end of an answer's body. If the client leaves, the writing task is cancelled.
public struct WebStream: Sendable {
  let outbox: Outbox

  /// Queues bytes, such as whole server-sent events, without waiting.
  ///
  /// A reader with more than ``WebLimits/queue`` waiting bytes is dropped: the bytes are discarded, the connection is
  /// closed, and an event stream ends with the event `dropped`. A client that reconnects gets the present state.
  /// - Throws: ``WebGone``, as do all later calls.
  public func send(_ bytes: [UInt8]) throws(WebGone) {
    guard !bytes.isEmpty else { return }
    try outbox.put(.bytes(bytes))
  }

  /// Waits until the queued bytes were passed on. Call this between the pieces of large contents.
  /// - Throws: ``WebGone``.
  public func drained() async throws(WebGone) { try await outbox.drained() }

  /// The reason why nothing more can be sent; `nil` while the reader is connected.
  public var end: WebGone? { outbox.end }
}

/// Writes server-sent events (HTML Standard, "server-sent events").
public enum ServerEvent {
  /// Returns an event. Each line of its data becomes a separate line.
  /// - Parameters:
  ///   - name: The type of the event, without line breaks.
  ///   - id: The value for `Last-Event-ID`, without line breaks and NUL.
  public static func bytes(_ name: String, data: String, id: String? = nil) -> [UInt8] {
    var text = "event: \(name)\n"
    if let id { text += "id: \(id)\n" }
    let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    for line in lines { text += "data: \(line)\n" }
    return Array((text + "\n").utf8)
  }

  /// A comment that keeps the connection in use and shows whether the reader is connected.
  static let beat: [UInt8] = Array(": beat\n\n".utf8)
  static let dropped: [UInt8] = bytes("dropped", data: "{\"reason\":\"too slow\"}")
}
