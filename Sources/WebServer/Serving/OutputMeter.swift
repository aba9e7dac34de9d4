// Counts the bytes that a client has to read.

/// Counts the bytes of an answer: those given to the channel, and those waiting there. The difference was sent.
struct OutputMeter {
  /// The bytes that wait for the client.
  private(set) var waiting = 0
  /// The bytes of this answer that were sent.
  private(set) var sent = 0
  /// The time at which bytes were last sent, or started to wait.
  private(set) var lastSent: Double
  private(set) var looked: Double
  private var given = 0

  init(now: Double) { (lastSent, looked) = (now, now) }

  mutating func restart() { (given, sent) = (waiting, 0) }

  mutating func give(_ count: Int, now: Double) {
    if waiting == 0 { lastSent = now }
    given += count
    waiting += count
  }

  mutating func measure(_ waiting: Int, now: Double) {
    (self.waiting, looked) = (waiting, now)
    guard given - waiting > sent else { return }
    (sent, lastSent) = (given - waiting, now)
  }

  /// There is nothing to send, so the measured silence restarts.
  mutating func pass(now: Double) { lastSent = now }
}
