/// The program's side of a stream or of a WebSocket's output.
final class OutgoingSide {
  let outbox: Outbox
  /// Sent after a silence.
  let beat: [UInt8]
  var task: Task<Void, Never>?
  /// Whether the whole stream was passed to the socket.
  var isOver = false

  init(_ outbox: Outbox, beat: [UInt8] = []) { (self.outbox, self.beat) = (outbox, beat) }

  /// The client is gone or was dropped.
  func end(_ reason: WebGone) {
    outbox.cut(reason)
    task?.cancel()
  }
}
