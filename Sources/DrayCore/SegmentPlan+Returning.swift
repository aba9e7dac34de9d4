// What a plan does with a part that was given to another connection, which then did not bring it.

extension SegmentPlan {
  /// The piece fetches on, up to `upper`: bytes that lie right behind it, and that nobody fetches.
  public mutating func extend(_ id: PieceID, to upper: Int64) {
    guard let index = pieces.firstIndex(where: { $0.id == id }), upper > pieces[index].upper else { return }
    let more = pieces[index].upper..<upper
    precondition(unowned.contains(more), "a segment has one owner")
    unowned.remove(more)
    pieces[index].upper = upper
  }
}
