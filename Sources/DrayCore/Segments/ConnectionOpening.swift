// Decides whether a file's other connections are opened as soon as the head of its answer has arrived.

/// The connections that a file gets when the head of its answer has arrived, before any rate is known.
///
/// A server sends ten packets in the first round trip of a connection and doubles them in each of the next ones (RFC
/// 5681 §3.1, RFC 6928), so one connection needs `log2(size / 14 KiB)` round trips for a file, and more connections need
/// fewer: together they start with more packets. The other connections are behind by the round trips that opening them
/// takes. They are opened at once if that saves at least ``leastRounds`` and a twentieth of the whole time, even over a
/// line of the rate ``fastest``. Otherwise ``ConnectionGrowth`` waits until the first connection has stopped
/// accelerating.
package struct ConnectionOpening: Sendable, Equatable {
  /// Connections to open beside the first.
  package let more: Int
  /// The most bytes that each of them takes over. The first connection keeps more, because it is ahead.
  package let piece: Int64

  /// Round trips that the connections must save together.
  static let leastRounds = 1.0
  /// The part of the whole time that they must save.
  static let leastPart = 0.05
  /// In bytes per second: the rate of the fastest line for which the time is computed.
  static let fastest = 125e6
  /// Bytes that a server sends in the first round trip of a connection (RFC 6928).
  static let firstWindow = 14_600.0

  /// Decides for a file of which `remaining` bytes are missing.
  /// - Parameters:
  ///   - remaining: Missing bytes.
  ///   - most: The maximum number of connections that may be added.
  ///   - roundTrip: In seconds, between this machine and the server.
  ///   - setUp: Round trips from opening a connection to its first byte: two, and with TLS three.
  /// - Returns: `nil` if no connection should be opened now.
  package init?(remaining: Int64, most: Int, roundTrip: Double, setUp: Int) {
    let lead = Double(1 << min(max(setUp, 0), 16))
    // Each of them must get enough bytes to be worth a connection.
    let room = Int(clamping: remaining / SegmentPlan.minimum) - Int(lead)
    let more = min(most, room)
    guard more > 0, roundTrip > 0 else { return nil }
    let windows = Double(remaining) / ConnectionOpening.firstWindow
    let alone = ConnectionOpening.doublings(windows + 1)
    let together = ConnectionOpening.doublings((windows + 1 + Double(more)) / (1 + Double(more) / lead))
    let saved = alone - max(together, Double(setUp))
    let whole = alone * roundTrip + Double(remaining) / ConnectionOpening.fastest
    guard saved >= ConnectionOpening.leastRounds, saved * roundTrip >= ConnectionOpening.leastPart * whole else {
      return nil
    }
    self.more = more
    piece = Int64(Double(remaining) / (lead + Double(more)))
  }

  /// Returns the binary logarithm of a number, between powers of two by a straight line.
  private static func doublings(_ value: Double) -> Double { Double(value.exponent) + value.significand - 1 }
}
