// Takes back segments that a connection did not deliver, or delivered wrongly.

extension SegmentPlan {
  /// Extends a piece to `upper`, over the bytes directly after it, which no connection fetches.
  public mutating func extend(_ id: PieceID, to upper: Int64) {
    guard let index = pieces.firstIndex(where: { $0.id == id }), upper > pieces[index].upper else { return }
    let more = pieces[index].upper..<upper
    precondition(unowned.contains(more), "a segment has one owner")
    unowned.remove(more)
    pieces[index].upper = upper
  }

  /// Forgets the rate of a source, because the line to it was away.
  public mutating func forgetRate(of source: Int) {
    if sources.indices.contains(source) { sources[source] = SourceRecord() }
  }

  /// Records that these bytes are unusable and must be fetched again.
  public mutating func lose(_ bytes: SegmentSet) {
    for segment in bytes.segments {
      for lost in done.clamped(to: segment).segments {
        done.remove(lost)
        unowned.insert(lost)
      }
    }
  }
}
