// A body that is written as things happen.

/// The writing end of an answer's body. The connection is the reader's: when it goes, the task that writes is cancelled.
public struct WebStream: Sendable {
  let outbox: Outbox

  /// Queues bytes, such as one or more whole server-sent events, and returns at once.
  ///
  /// A reader for whom ``WebLimits/queue`` bytes wait already is dropped: what waits is thrown away, a stream of events gets the
  /// event `dropped` instead, and the connection is closed. A client that connects again gets the state of that time.
  /// - Throws: ``WebGone``, also each time from then on.
  public func send(_ bytes: [UInt8]) throws(WebGone) {
    guard !bytes.isEmpty else { return }
    try outbox.put(bytes)
  }

  /// Waits until what was queued is on its way: whoever has much to send does so piece by piece.
  /// - Throws: ``WebGone``.
  public func drained() async throws(WebGone) { try await outbox.drained() }

  /// Why nothing more can be sent; nil while the reader is there.
  public var end: WebGone? { outbox.end }
}

/// Server-sent events as bytes (HTML Standard, "server-sent events").
public enum ServerEvent {
  /// An event. Each line of its data becomes a line of its own.
  /// - Parameters:
  ///   - name: its type, which has no line breaks.
  ///   - id: what `Last-Event-ID` will say; without line breaks and NUL.
  public static func bytes(_ name: String, data: String, id: String? = nil) -> [UInt8] {
    var text = "event: \(name)\n"
    if let id { text += "id: \(id)\n" }
    let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    for line in lines { text += "data: \(line)\n" }
    return Array((text + "\n").utf8)
  }

  /// A comment: it keeps the connection in use, and shows a server whether the reader is still there.
  static let beat: [UInt8] = Array(": beat\n\n".utf8)
  /// What a reader gets that was too slow.
  static let dropped: [UInt8] = bytes("dropped", data: "{\"reason\":\"too slow\"}")
}
