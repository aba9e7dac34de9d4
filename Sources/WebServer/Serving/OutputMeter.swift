// Counts the bytes that a client has to read.

/// The bytes of an answer: given to the channel, and waiting there. The difference was sent.
struct OutputMeter {
  /// The number of bytes that wait for the client.
  private(set) var waiting = 0
  /// The number of bytes of this answer that were sent.
  private(set) var sent = 0
  /// The time at which bytes were last sent, or started to wait.
  private(set) var lastSent: Double
  /// The time of the last measurement.
  private(set) var looked: Double
  private var given = 0

  init(now: Double) { (lastSent, looked) = (now, now) }

  /// Begins to count another answer.
  mutating func restart() { (given, sent) = (waiting, 0) }

  /// Counts bytes that were given to the channel.
  mutating func give(_ count: Int, now: Double) {
    if waiting == 0 { lastSent = now }
    given += count
    waiting += count
  }

  /// Records how many bytes wait in the channel.
  mutating func measure(_ waiting: Int, now: Double) {
    (self.waiting, looked) = (waiting, now)
    guard given - waiting > sent else { return }
    (sent, lastSent) = (given - waiting, now)
  }

  /// Restarts the measured silence, because there is nothing to send.
  mutating func pass(now: Double) { lastSent = now }
}
