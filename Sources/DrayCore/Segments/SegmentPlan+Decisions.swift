// Decides the next steps of a plan: it closes connections that are too many, opens segments that no connection fetches,
// splits the piece that would end last, and gives up connections that are too slow.

extension SegmentPlan {
  /// Decides on the next steps, and records them as done. Just before, the caller must call
  /// ``note(_:at:buffered:isWaiting:now:)`` for each piece.
  public mutating func next(_ room: Room, now: Double) -> [Action] {
    var actions: [Action] = []
    closeSurplus(room, now, &actions)
    let isSplit: Bool
    if isInOrder, room.connections > 1 {
      isSplit = openInOrder(room, now, &actions)
    } else {
      openUnowned(room, now, &actions)
      isSplit = steal(room, now, &actions)
    }
    if now - lastReplacement >= 2, let id = awaited(now) ?? crawling(room, now) ?? (isSplit ? nil : hedge(room, now)) {
      lastReplacement = now
      close(id, isReplaced: true, &actions)
    }
    return actions
  }

  // MARK: Too many

  private mutating func closeSurplus(_ room: Room, _ now: Double, _ actions: inout [Action]) {
    for source in Set(pieces.map(\.source)) {
      let most = room.perSource.indices.contains(source) ? room.perSource[source] : 0
      let ofSource = alive.filter { $0.source == source }
      closeSlowest(of: ofSource, surplus: ofSource.count - most, room, now, &actions)
    }
    for (line, limits) in room.lines.enumerated() {
      let ofLine = connections(of: line, room)
      let surplus = ofLine.count - max(limits.connections, limits.kept)
      closeSlowest(of: ofLine, surplus: surplus, room, now, &actions)
    }
    closeSlowest(of: alive, surplus: alive.count - max(room.connections, room.kept), room, now, &actions)
  }

  private mutating func closeSlowest(
    of candidates: [Piece], surplus: Int, _ room: Room, _ now: Double, _ actions: inout [Action]
  ) {
    guard surplus > 0 else { return }
    // Connections that have received nothing are closed first, the newest of them before the others, because that loses
    // least.
    let slowest = candidates.sorted { left, right in
      let (a, b) = (left.rate(now: now), right.rate(now: now))
      return a == b ? left.id > right.id : a < b
    }
    var left = surplus
    for piece in slowest where left > 0 && !isLastHope(piece, room) {
      close(piece.id, isReplaced: false, &actions)
      left -= 1
    }
  }

  /// Whether only this piece makes progress, and no connection could replace it.
  private func isLastHope(_ piece: Piece, _ room: Room) -> Bool {
    guard piece.hasBytes, alive.count(where: \.hasBytes) == 1 else { return false }
    let isOut = !room.perSource.indices.contains(piece.source) || room.perSource[piece.source] == 0
    return !(isOut && room.perSource.contains { $0 > 0 })
  }

  private mutating func close(_ id: PieceID, isReplaced: Bool, _ actions: inout [Action]) {
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    pieces[index].isClosing = true
    pieces[index].isReplaced = isReplaced
    actions.append(.close(id))
  }

  // MARK: More

  /// Returns how many connections may be added, over all sources.
  func free(_ room: Room) -> Int {
    let alive = alive
    let ofSources = room.perSource.indices.map { source in
      max(0, room.perSource[source] - alive.count { $0.source == source })
    }
    var free = ofSources.reduce(0, +)
    if !room.lines.isEmpty {
      free = room.lines.indices.reduce(0) { sum, line in
        let left = room.lines[line].connections - connections(of: line, room).count
        return sum + min(max(0, left), room.sources(of: line).reduce(0) { $0 + ofSources[$1] })
      }
    }
    return min(room.connections - alive.count, free)
  }

  private mutating func openUnowned(_ room: Room, _ now: Double, _ actions: inout [Action]) {
    while free(room) > 0, let segment = unowned.segments.first, let source = sourceChoice(room, now: now) {
      actions.append(.open(begin(segment, source: source, now: now), segment, source: source))
    }
  }

  /// Splits pieces for free connections, and returns whether it did.
  mutating func steal(_ room: Room, _ now: Double, _ actions: inout [Action]) -> Bool {
    var isSplit = false
    while free(room) > 0, let source = sourceChoice(room, now: now),
      let (victim, cut) = cut(alive, for: source, thieves: free(room), most: room.firstPiece, now)
    {
      isSplit = true
      let taken = cut..<victim.upper
      trim(victim, to: cut, &actions)
      actions.append(.open(begin(taken, source: source, now: now), taken, source: source))
    }
    return isSplit
  }

  /// Ends a piece at `cut`. The bytes behind it become unowned.
  mutating func trim(_ victim: Piece, to cut: Int64, _ actions: inout [Action]) {
    guard let index = pieces.firstIndex(where: { $0.id == victim.id }) else { return }
    pieces[index].upper = cut
    unowned.insert(cut..<victim.upper)
    // If the piece itself is opened by this call, it is opened with a smaller length instead.
    if let same = actions.firstIndex(of: .open(victim.id, victim.lower..<victim.upper, source: victim.source)) {
      actions[same] = .open(victim.id, victim.lower..<cut, source: victim.source)
    } else {
      actions.append(.trim(victim.id, to: cut))
    }
  }

  /// Returns which of `pieces` a new connection to `source` should split, and where; `nil` if no split saves time.
  func cut(
    _ pieces: [Piece], for source: Int, thieves: Int, most: Int64?, _ now: Double
  ) -> (victim: Piece, cut: Int64)? {
    let mean = meanRate(now: now)
    let thief = meanRate(of: source, now: now) ?? mean
    let candidates = pieces.filter { $0.coming >= Self.minimum + Self.grain }
      .map { (piece: $0, left: secondsLeft($0, mean: mean, now: now) ?? 0) }
      .sorted { ($0.left, $0.piece.coming) > ($1.left, $1.piece.coming) }
    for candidate in candidates {
      let victim = candidate.piece
      let own = measured(victim, now: now) ?? mean ?? 1
      let new = thief ?? 1
      // Both pieces should end at the same time, and sooner than the whole piece would. If more connections follow,
      // each gets its part of all missing bytes.
      if own + new > 0, thief != nil, candidate.left - Double(victim.coming) / (own + new) < leastGain { continue }
      var share = own + new > 0 ? own / (own + new) : 0.5
      if thieves > 1, own > 0, new > 0 {
        let all = alive.reduce(Double(thieves) * new) { $0 + (measured($1, now: now) ?? mean ?? 1) }
        let coming = self.pieces.reduce(unowned.count) { $0 + $1.coming }
        share = min(share, own * Double(coming) / all / Double(victim.coming))
      }
      var cut = victim.reached + max(Self.grain, Self.part(share, of: victim.coming))
      if let most { cut = max(cut, victim.upper - max(most, Self.minimum)) }
      if let unit {
        guard let border = border(near: cut, of: victim, unit) else { continue }
        return (victim, border)
      }
      guard victim.upper - cut >= Self.minimum else { continue }
      let rounded = Self.rounded(cut)
      let fits = rounded >= victim.reached + Self.grain && victim.upper - rounded >= Self.minimum
      return (victim, fits ? rounded : cut)
    }
    return nil
  }

  /// Returns the multiple of `unit` nearest to `cut` at which the piece can be split; `nil` if there is none.
  private func border(near cut: Int64, of victim: Piece, _ unit: Int64) -> Int64? {
    let first = (victim.reached + Self.grain + unit - 1) / unit * unit
    let last = (victim.upper - Self.minimum) / unit * unit
    guard first <= last else { return nil }
    return min(max((cut + unit / 2) / unit * unit, first), last)
  }

  /// Multiplies without overflow.
  private static func part(_ share: Double, of count: Int64) -> Int64 {
    min(count, Int64(exactly: (Double(count) * share).rounded(.towardZero)) ?? count)
  }

  /// Returns the multiple of the grain nearest to a place, or the one below if that would overflow.
  static func rounded(_ place: Int64) -> Int64 {
    let before = place / grain * grain
    return place - before < grain / 2 || before > Int64.max - grain ? before : before + grain
  }

  // MARK: Too slow

  /// How often the connection for one place may be replaced.
  private static let mostReplacements = 2

  /// Returns a piece that has no byte even after several latencies. Such a piece counts only if another connection has
  /// reached its start and can continue into it, or if no other connection has anything left to fetch.
  private func awaited(_ now: Double) -> PieceID? {
    alive.first { piece in
      guard !piece.hasBytes, piece.replacements < Self.mostReplacements else { return false }
      let age = now - piece.openedAt
      let others = alive.filter { $0.id != piece.id }
      let isTakenBack = others.contains { $0.upper == piece.lower && ($0.isWaiting || $0.remaining == 0) }
      return age > max(1, 4 * (latency ?? 0)) && isTakenBack
        || age > max(5, 10 * (latency ?? 0)) && !others.contains { $0.remaining > 0 && !$0.isWaiting }
    }?.id
  }

  /// Returns the piece that would end last by far because it is much slower than the others.
  private func crawling(_ room: Room, _ now: Double) -> PieceID? {
    let total = rate(now: now)
    guard total > 0 else { return nil }
    // In order, a late piece blocks everything after it, so it gets only as long as the others need for one piece each.
    let rest = isInOrder ? min(Self.pieceSeconds, Double(remaining) / total) : Double(remaining) / total
    var worst: (id: PieceID, left: Double)?
    for piece in alive where piece.coming > Self.grain && piece.replacements < Self.mostReplacements {
      let siblings = alive.filter { $0.id != piece.id && $0.hasBytes && now - $0.window.start >= 1 }
        .map { $0.rate(now: now) }.sorted()
      let left: Double
      if piece.hasBytes {
        let rate = piece.rate(now: now)
        left = rate > 0 ? Double(piece.remaining) / rate : .infinity
        guard siblings.count >= 2, now - piece.window.start > RateWindow.span,
          rate < siblings[siblings.count / 2] / 4, left > 2 * rest, isBetter(without: piece, rate, room, now)
        else { continue }
      } else {
        guard now - piece.openedAt > 5, siblings.contains(where: { $0 > 0 }) else { continue }
        left = .infinity
      }
      if left > worst?.left ?? -1 { worst = (piece.id, left) }
    }
    return worst?.id
  }

  /// Whether a new connection may be more than four times as fast as the one of this piece.
  private func isBetter(without piece: Piece, _ rate: Double, _ room: Room, _ now: Double) -> Bool {
    var rest = self
    rest.pieces.removeAll { $0.id == piece.id }
    guard let source = rest.sourceChoice(room, now: now) else { return false }
    return rest.meanRate(of: source, now: now).map { $0 > 4 * rate } ?? (source != piece.source)
  }

  /// Returns the piece that would end last, if a new connection would finish it much sooner. Called when a connection
  /// is free near the end of the file and no piece could be split.
  private func hedge(_ room: Room, _ now: Double) -> PieceID? {
    guard unowned.isEmpty, free(room) > 0, sourceChoice(room, now: now) != nil else { return nil }
    let last = alive.filter { $0.coming > 0 }
      .map { (piece: $0, left: $0.rate(now: now) > 0 ? Double($0.coming) / $0.rate(now: now) : .infinity) }
      .max { $0.left < $1.left }
    guard let (piece, left) = last, piece.replacements < Self.mostReplacements, left > 2 else { return nil }
    let age = now - (piece.hasBytes ? piece.window.start : piece.openedAt)
    guard age > (piece.hasBytes ? 1 : max(2, 10 * (latency ?? 0))) else { return nil }
    var rates = alive.filter { $0.id != piece.id }.compactMap { measured($0, now: now) }
    rates += sources.filter { now - $0.endedAt < 10 }.compactMap(\.endedRate)
    guard !rates.isEmpty else { return nil }
    let mean = rates.reduce(0, +) / Double(rates.count)
    return left > 3 * Double(piece.remaining) / mean ? piece.id : nil
  }
}
