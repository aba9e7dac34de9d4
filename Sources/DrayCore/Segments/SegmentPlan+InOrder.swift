// Keeps the connections of a file near its first missing byte (`--in-order`), so that the bytes before that can be read
// while the others arrive.

extension SegmentPlan {
  /// The maximum distance in bytes between the first missing byte and the start of a new piece.
  public static let window: Int64 = 64 << 20
  /// The maximum length in bytes of a piece, if several connections fetch the file.
  static let longestPiece: Int64 = 8 << 20
  /// The seconds that a piece should take. Shorter pieces would cost many requests, longer ones leave wide gaps.
  static let pieceSeconds = 1.0
  /// The minimum duration of a piece in latencies, because a connection is idle for one latency between two pieces.
  private static let pieceLatencies = 8.0

  /// The position of the first missing byte.
  public var front: Int64 {
    var front = done.prefix
    while true {
      if let run = done.segments.first(where: { $0.contains(front) }) {
        front = run.upperBound
      } else if let piece = pieces.first(where: { $0.lower <= front && front < $0.position }) {
        front = piece.position
      } else {
        return front
      }
    }
  }

  /// Opens short pieces, the ones nearest to the front first. If there are none within the window, splits the piece
  /// that the others wait for. Returns whether a piece was split.
  mutating func openInOrder(_ room: Room, _ now: Double, _ actions: inout [Action]) -> Bool {
    let length = pieceLength(room, now: now)
    var isSplit = false
    while free(room) > 0, let source = sourceChoice(room, now: now) {
      if let segment = nearest(length) {
        actions.append(.open(begin(segment, source: source, now: now), segment, source: source))
      } else if let piece = longPiece(length), let cut = cut(piece, after: length) {
        trim(piece, to: cut, &actions)
      } else if unowned.isEmpty {
        // Near the end of the file, all connections should finish at the same time.
        return steal(room, now, &actions) || isSplit
      } else if let first = alive.first(where: { $0.lower <= front && front < $0.upper }),
        let (victim, cut) = cut([first], for: source, thieves: 1, most: nil, now)
      {
        isSplit = true
        trim(victim, to: cut, &actions)
      } else {
        break
      }
    }
    return isSplit
  }

  /// Returns the length of a new piece: what a connection receives in a second, and more on a long line. All
  /// connections together must fit into the window.
  func pieceLength(_ room: Room, now: Double) -> Int64 {
    let seconds = max(Self.pieceSeconds, Self.pieceLatencies * (latency ?? 0))
    let wanted = Int64(saturating: (meanRate(now: now) ?? 0) * seconds)
    var length = min(wanted, Self.longestPiece, Self.window / Int64(max(1, room.connections)))
    if let first = room.firstPiece { length = min(length, first) }
    length = max(length, Self.minimum)
    return (length + Self.grain - 1) / Self.grain * Self.grain
  }

  /// Returns the segment for the next connection; `nil` if no unowned byte is within the window.
  private func nearest(_ length: Int64) -> Segment? {
    guard let gap = unowned.segments.first, gap.lowerBound - front < Self.window else { return nil }
    let upper = border(after: gap.lowerBound.saturatingSum(length))
    // A short remainder is not worth another request.
    return gap.upperBound - upper < Self.minimum ? gap : gap.lowerBound..<upper
  }

  /// Returns the first piece that is much longer than a new one would be.
  private func longPiece(_ length: Int64) -> Piece? {
    let front = front
    return alive.filter { $0.remaining >= 2 * length && $0.position - front < Self.window }
      .min { $0.position < $1.position }
  }

  private func cut(_ piece: Piece, after length: Int64) -> Int64? {
    let cut = border(after: Self.rounded(max(piece.position + length, piece.reached + Self.grain)))
    return piece.upper - cut >= Self.minimum ? cut : nil
  }

  /// Returns the first place at or after `place` where a piece may end.
  private func border(after place: Int64) -> Int64 {
    guard let unit else { return place }
    return (place.saturatingSum(unit - 1)) / unit * unit
  }
}
