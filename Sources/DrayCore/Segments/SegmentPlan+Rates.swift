// What a plan knows of rates: of a piece, of a source, of all; and how large a segment must be to be worth a connection.

extension SegmentPlan {
  /// Boundaries of segments are multiples of this where possible, in bytes.
  static let grain: Int64 = 64 << 10

  /// The pieces that continue, and thus count.
  var alive: [Piece] { pieces.filter { !$0.isClosing } }

  /// The rate of a piece, if it has run for long enough: TCP begins slowly, for several round trips.
  func measured(_ piece: Piece, now: Double) -> Double? {
    guard piece.hasBytes, now - piece.window.start >= max(0.02, min(10 * (latency ?? 0), 1)) else { return nil }
    // Of one that has become much slower the last second says more; where nothing came in it, it may be a burst's pause.
    let (rate, last) = (piece.rate(now: now), piece.window.rate(now: now, over: 1))
    return last > 0 && last < rate / 2 ? last : rate
  }

  /// The average bytes per second of a connection, over all sources.
  func meanRate(now: Double) -> Double? {
    let rates = alive.compactMap { measured($0, now: now) }
    if !rates.isEmpty { return rates.reduce(0, +) / Double(rates.count) }
    return sources.compactMap(\.endedRate).max()
  }

  /// Bytes a second that one connection to this source brings on average, now and lately; `nil` before that is known.
  func meanRate(of source: Int, now: Double) -> Double? {
    var rates = alive.filter { $0.source == source }.compactMap { measured($0, now: now) }
    if sources.indices.contains(source), let ended = sources[source].endedRate,
      rates.isEmpty || now - sources[source].endedAt < 10
    {
      rates.append(ended)
    }
    return rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
  }

  /// The fewest bytes that are worth a connection.
  static let minimum: Int64 = 256 << 10

  /// The least seconds that a new connection must save: a quarter of one, and more where a connection takes its time to
  /// begin. Six times the latency, because TCP begins slowly: over a simulated net of 100 ms and 100 MB/s, three times
  /// opened twice as many connections and took 1.4 times as long.
  var leastGain: Double { max(0.25, 6 * (latency ?? 0)) }

  /// When a piece would end, in seconds from now, at its own rate, or else at that of the others; `nil` without any.
  func secondsLeft(_ piece: Piece, mean: Double?, now: Double) -> Double? {
    guard let rate = measured(piece, now: now) ?? mean else { return nil }
    return rate > 0 ? Double(piece.remaining) / rate : .infinity
  }

  /// The source that the next connection is opened to: one that was never tried, else the fastest per connection.
  /// `nil` if none has room.
  func sourceChoice(_ room: Room, now: Double) -> Int? {
    let rates = room.perSource.indices.map { meanRate(of: $0, now: now) }
    let best = rates.compactMap { $0 }.max() ?? 0
    let open = room.perSource.indices.filter { source in
      let count = pieces.count { $0.source == source && !$0.isClosing }
      guard count < room.perSource[source] else { return false }
      // One that is much slower than another gets no second connection.
      return count == 0 || (rates[source] ?? best) >= best / 4
    }
    if let untried = open.first(where: { !sources.indices.contains($0) || sources[$0].opened == 0 }) { return untried }
    return open.max { left, right in
      let (a, b) = (rates[left] ?? best, rates[right] ?? best)
      return a == b ? left > right : a < b
    }
  }
}
