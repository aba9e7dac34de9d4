// What a plan does with a part that was given to another connection, which then did not deliver it, or delivered other bytes.

extension SegmentPlan {
  /// The piece continues up to `upper`: bytes that follow it directly and are unowned.
  public mutating func extend(_ id: PieceID, to upper: Int64) {
    guard let index = pieces.firstIndex(where: { $0.id == id }), upper > pieces[index].upper else { return }
    let more = pieces[index].upper..<upper
    precondition(unowned.contains(more), "a segment has one owner")
    unowned.remove(more)
    pieces[index].upper = upper
  }

  /// These bytes are not usable, and must be fetched again.
  public mutating func lose(_ bytes: SegmentSet) {
    for segment in bytes.segments {
      for lost in done.clamped(to: segment).segments {
        done.remove(lost)
        unowned.insert(lost)
      }
    }
  }
}
