/// The program's side of a stream or of a WebSocket's output.
final class OutgoingSide {
  let outbox: Outbox
  /// The bytes to send after a silence.
  let beat: [UInt8]
  /// The program's task.
  var task: Task<Void, Never>?
  /// Whether the whole stream was passed to the socket.
  var isOver = false

  init(_ outbox: Outbox, beat: [UInt8] = []) { (self.outbox, self.beat) = (outbox, beat) }

  /// Ends the stream because the client is gone or was dropped.
  func end(_ reason: WebGone) {
    outbox.cut(reason)
    task?.cancel()
  }
}
