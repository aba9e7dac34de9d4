// Decides when a line (a network interface of this machine) counts as away, and when it is tried again. The time is an
// argument, in seconds of a monotonic clock.

/// The lines of a file: which of them are away.
///
/// A line is away if no connection can be opened over it, or if its connections are silent while another line delivers.
/// Its ranges then go to the other lines. After a pause, one connection tries whether it is back.
package struct LineWatch: Sendable {
  /// A change to report to users.
  package enum Change: Sendable, Equatable {
    /// The line is away, for a reason that is a clause.
    case lost(String)
    /// The line delivers again.
    case back
  }

  private enum Standing: Equatable {
    case open
    case away(until: Double)
    /// One connection tries whether the line is back.
    case trying
  }

  private struct Line {
    var standing = Standing.open
    /// The received bytes, and when their number last grew.
    var bytes: Int64 = 0
    var grewAt: Double
    /// The time from which the line should have delivered bytes.
    var silentSince: Double
    /// The number of times in a row that the line was away.
    var strikes = 0
  }

  /// The seconds of silence after which a line is away. A lost packet is sent again within about three.
  package static let silence = 5.0
  /// The seconds for which a line counts as delivering after its last byte, when a connection cannot be opened over it.
  private static let moment = 1.0
  /// The seconds before a line is tried again: at first, and at most.
  private static let pauses = 5.0...60.0

  private var lines: [Line]

  /// Creates a record of lines that are all open.
  package init(lines count: Int, now: Double) {
    lines = Array(repeating: Line(grewAt: now, silentSince: now), count: count)
  }

  /// Adds a sample of a line.
  /// - Parameters:
  ///   - bytes: The number of bytes received over the line so far.
  ///   - connections: The number of its connections, requested ones included.
  package mutating func look(_ line: Int, bytes: Int64, connections: Int, now: Double) -> Change? {
    if bytes > lines[line].bytes {
      (lines[line].bytes, lines[line].grewAt, lines[line].silentSince) = (bytes, now, now)
      lines[line].strikes = 0
      guard lines[line].standing == .trying else { return nil }
      lines[line].standing = .open
      return .back
    }
    if connections == 0 { lines[line].silentSince = now }
    if case .away(let until) = lines[line].standing, now >= until {
      (lines[line].standing, lines[line].silentSince) = (.trying, now)
    }
    let silence = now - lines[line].silentSince
    guard !isAway(line), silence >= LineWatch.silence, othersDeliver(line, now: now) else { return nil }
    return leave(line, because: "nothing arrives over it", now: now)
  }

  /// Records that no connection could be opened over a line.
  /// - Parameter reason: Why, as a clause.
  package mutating func fails(_ line: Int, because reason: String, now: Double) -> Change? {
    // A line that delivers is not away: its server refuses more connections.
    let delivers = lines[line].bytes > 0 && now - lines[line].grewAt < LineWatch.moment
    // If it is the only one, its failures are those of the file.
    let hasOther = lines.indices.contains { $0 != line && lines[$0].standing == .open }
    guard !isAway(line), !delivers, hasOther else { return nil }
    return leave(line, because: reason, now: now)
  }

  /// Returns the maximum number of connections of a line.
  /// - Parameter limit: The number that helps, as far as its measured rates show.
  package func limit(of line: Int, _ limit: Int) -> Int {
    switch lines[line].standing {
    case .open: limit
    case .trying: 1
    case .away: 0
    }
  }

  /// Whether a line is neither away nor being tried.
  public func isOpen(_ line: Int) -> Bool { lines[line].standing == .open }

  /// Whether a line is away.
  package func isAway(_ line: Int) -> Bool { if case .away = lines[line].standing { true } else { false } }

  /// Whether one connection is to try whether a line is back.
  package func isTrying(_ line: Int) -> Bool { lines[line].standing == .trying }

  /// Returns the time until which a line is away; `nil` if it is not.
  package func awayUntil(_ line: Int) -> Double? {
    if case .away(let until) = lines[line].standing { until } else { nil }
  }

  private func othersDeliver(_ line: Int, now: Double) -> Bool {
    lines.indices.contains { $0 != line && lines[$0].bytes > 0 && now - lines[$0].grewAt < LineWatch.silence / 2 }
  }

  private mutating func leave(_ line: Int, because reason: String, now: Double) -> Change? {
    let wasOpen = lines[line].standing == .open
    let pause = LineWatch.pauses.lowerBound * Double(1 << min(lines[line].strikes, 8))
    lines[line].standing = .away(until: now + min(pause, LineWatch.pauses.upperBound))
    lines[line].strikes += 1
    return wasOpen ? .lost(reason) : nil
  }
}
