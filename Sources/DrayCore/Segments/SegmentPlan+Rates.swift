// The rates in a plan: those of a piece, of a source and of all connections. They decide how large a segment must be to
// be worth a connection.

extension SegmentPlan {
  /// Where possible, segments begin at multiples of this number of bytes.
  static let grain: Int64 = 64 << 10

  /// The pieces whose connections were not told to close.
  var alive: [Piece] { pieces.filter { !$0.isClosing } }

  /// The rate of a piece, if it has run for long enough to measure it; TCP starts slowly, over several round trips.
  func measured(_ piece: Piece, now: Double) -> Double? {
    guard piece.hasBytes, now - piece.window.start >= max(0.02, min(10 * (latency ?? 0), 1)) else { return nil }
    // After a sharp fall, the last second counts, unless it brought no bytes, which may be a pause between two bursts.
    let (rate, last) = (piece.rate(now: now), piece.window.rate(now: now, over: 1))
    if last > 0, last < rate / 2 { return last }
    // The mean rate of a young connection is too low because of its slow start, so the rate of older connections is
    // expected of it.
    guard isYoung(piece, now: now), let usual = usualRate(of: piece.source, now: now) else { return rate }
    return max(rate, usual)
  }

  /// Whether the connection of a piece may still be in slow start, or has run for so short a time since then that its
  /// mean rate is mostly that of the slow start.
  func isYoung(_ piece: Piece, now: Double) -> Bool {
    now - piece.window.start < min(RateWindow.span, 6 * (latency ?? 0))
  }

  /// Returns the bytes per second of a connection to this source after its slow start; `nil` if unknown.
  private func usualRate(of source: Int, now: Double) -> Double? {
    let rates = alive.filter { $0.source == source && $0.hasBytes && !isYoung($0, now: now) }
      .map { $0.window.rate(now: now, over: 1) }
    if !rates.isEmpty { return rates.reduce(0, +) / Double(rates.count) }
    guard sources.indices.contains(source), now - sources[source].endedAt < 10 else { return nil }
    return sources[source].endedRate
  }

  /// Returns the mean bytes per second of a connection, over all sources.
  func meanRate(now: Double) -> Double? {
    let rates = alive.compactMap { measured($0, now: now) }
    if !rates.isEmpty { return rates.reduce(0, +) / Double(rates.count) }
    return sources.compactMap(\.endedRate).max()
  }

  /// Returns the mean bytes per second of a connection to this source, from present and recent ones; `nil` if unknown.
  func meanRate(of source: Int, now: Double) -> Double? {
    var rates = alive.filter { $0.source == source }.compactMap { measured($0, now: now) }
    if sources.indices.contains(source), let ended = sources[source].endedRate,
      rates.isEmpty || now - sources[source].endedAt < 10
    {
      rates.append(ended)
    }
    return rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
  }

  /// The number of bytes that make it worthwhile to open a connection.
  static let minimum: Int64 = 256 << 10

  /// Seconds that a new connection must save: a quarter of a second, and more if connections start slowly. The factor
  /// is four latencies because TCP starts slowly. Over the drawn lines of ``ConnectionGrowth``'s tests, six left more
  /// files to wait for one slow connection, and three opened many connections that did not pay.
  var leastGain: Double { max(0.25, 4 * (latency ?? 0)) }

  /// Returns the seconds until the rest of the piece has arrived, at its rate, or else at the mean rate; `nil` if
  /// both are unknown.
  func secondsLeft(_ piece: Piece, mean: Double?, now: Double) -> Double? {
    guard let rate = measured(piece, now: now) ?? mean else { return nil }
    return rate > 0 ? Double(piece.coming) / rate : .infinity
  }

  /// Returns the pieces whose connections go over a line.
  func connections(of line: Int, _ room: Room) -> [Piece] {
    let sources = room.sources(of: line)
    return alive.filter { sources.contains($0.source) }
  }

  /// Returns the source for the next connection: if there are several lines, one of the line that is next by
  /// ``LineChoice``; `nil` if no source may have another connection.
  func sourceChoice(_ room: Room, now: Double) -> Int? {
    guard !room.lines.isEmpty else { return sourceChoice(room, among: Array(room.perSource.indices), now: now) }
    let lines = room.lines.indices.map { line in
      let pieces = connections(of: line, room)
      let rates = pieces.compactMap { measured($0, now: now) }
      return LineChoice.Line(
        connections: pieces.count, limit: room.lines[line].connections,
        rate: rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count))
    }
    return LineChoice.order(lines).lazy
      .compactMap { sourceChoice(room, among: room.sources(of: $0), now: now) }.first
  }

  /// Returns the source among `sources` for the next connection: one whose rate is unknown, or else the one with the
  /// highest rate per connection. The rate is unknown before the first connection, and after connections that were too
  /// brief to measure.
  private func sourceChoice(_ room: Room, among sources: [Int], now: Double) -> Int? {
    let rates = room.perSource.indices.map { meanRate(of: $0, now: now) }
    let best = sources.compactMap { rates[$0] }.max() ?? 0
    let open = sources.filter { source in
      let count = pieces.count { $0.source == source && !$0.isClosing }
      guard count < room.perSource[source] else { return false }
      // A source that is much slower than another gets only one connection.
      return count == 0 || (rates[source] ?? best) >= best / 4
    }
    let unknown = open.map { (source: $0, record: record(of: $0)) }.filter { $0.record.opened == $0.record.brief }
    if let least = unknown.min(by: { $0.record.opened < $1.record.opened }) { return least.source }
    return open.max { left, right in
      let (a, b) = (rates[left] ?? best, rates[right] ?? best)
      return a == b ? left > right : a < b
    }
  }

  private func record(of source: Int) -> SourceRecord {
    sources.indices.contains(source) ? sources[source] : SourceRecord()
  }
}
