final class WebSocketSide {
  let outgoing: OutgoingSide
  let box: MessageBox
  /// Whether the handlers of the protocol are in place.
  var isReady = false
  /// The time at which the client last sent a byte.
  var lastHeard: Double
  /// The time of a ping that no byte has followed yet; `nil` if there is none.
  var pinged: Double?
  /// When the present message started, and how many bytes were received before.
  private var began: Double
  private var receivedBefore = 0
  /// The bytes received from the client.
  private var received = 0
  private var isMidway = false

  init(_ outgoing: OutgoingSide, _ box: MessageBox, now: Double) {
    (self.outgoing, self.box) = (outgoing, box)
    (lastHeard, began) = (now, now)
  }

  /// Records bytes received from the client.
  /// - Parameter received: The number of bytes received on this connection.
  func heard(received: Int, isMidway: Bool, now: Double) {
    if !self.isMidway { (began, receivedBefore) = (now, self.received) }
    (lastHeard, pinged, self.received, self.isMidway) = (now, nil, received, isMidway)
  }

  func overdue(_ limits: WebLimits) -> Double {
    isMidway ? limits.deadline(from: began, moved: received - receivedBefore) : .infinity
  }

  func deadline(_ output: OutputMeter, _ limits: WebLimits) -> Double {
    guard output.waiting == 0 else { return output.lastSent + limits.stall }
    // While the box is full nothing is read: the program is slow, not the client.
    guard !box.isFull else { return .infinity }
    let silence = pinged.map { $0 + limits.patience } ?? max(lastHeard, output.lastSent) + limits.beat
    return min(overdue(limits), silence)
  }

  func end(_ reason: WebGone) {
    box.finish()
    outgoing.end(reason)
  }
}
