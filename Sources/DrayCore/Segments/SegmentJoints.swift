// Keeps track of the joints of a file that several connections fetch, as long as they are unproved, and of the bytes
// that are discarded when a joint turns out to be wrong (P18).

/// The places where bytes of different connections meet, while nothing proves that they fit together.
package struct SegmentJoints: Sendable, Equatable {
  private struct Doubt: Equatable {
    /// Where the joint was before it moved back.
    var first: Int64
    /// How often the joint has moved back.
    var step: Int
    /// How many bytes the connection before the joint brought; `nil` if unknown.
    var given: Int64?
  }

  /// How often joints may move back without progress. There is a limit because a server may pad each answer that is cut
  /// off (P13).
  static let patience = 32

  private var doubts: [Int64: Doubt] = [:]
  /// How often a connection that ended at a place disagreed with the bytes behind that place.
  private var differences: [Int64: Int] = [:]
  private var moves = 0
  private var furthest: Int64 = 0

  /// The number of bytes that are kept or discarded together.
  private let unit: Int64

  /// Creates an empty record, with no joint in doubt.
  /// - Parameter unit: The number of bytes that are kept or discarded together.
  package init(unit: Int64 = 1) { self.unit = max(1, unit) }

  /// Records that a connection was interrupted at `place`.
  /// - Parameter given: The number of bytes from that connection; `nil` if unknown.
  package mutating func doubt(_ place: Int64, after given: Int64? = nil) {
    if doubts[place] == nil { doubts[place] = Doubt(first: place, step: 0, given: given) }
  }

  /// Records that a connection brought only `given` bytes, all of them before the joint at `place`, so that the next
  /// one repeats fewer.
  package mutating func shorten(_ place: Int64, after given: Int64) { doubts[place]?.given = given }

  /// Whether the joint at `place` is still unproved.
  package func isDoubted(_ place: Int64) -> Bool { doubts[place] != nil }

  /// Records that the joint at `place` is proved.
  package mutating func prove(_ place: Int64) { doubts[place] = nil }

  /// Returns the bytes before `place` that the next connection fetches again for a comparison.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  package func compared(before place: Int64, in run: Segment?) -> Segment {
    guard let doubt = doubts[place], let run else { return place..<place }
    return Joint.compared(before: place, in: run, after: doubt.given)
  }

  /// Records that the bytes at the joint at `place` do not fit together.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  /// - Returns: The bytes to discard; `nil` if no joint was in doubt at `place`.
  package mutating func moveBack(_ place: Int64, in run: Segment?) -> Segment? {
    guard let doubt = doubts.removeValue(forKey: place), let run, !run.isEmpty else { return nil }
    return giveUp(run.lowerBound..<max(doubt.first, place), before: place, step: doubt.step + 1, after: doubt.given)
  }

  /// Records that a connection ended at `place`, directly before bytes on disk. No later request will begin at `place`,
  /// so nothing else would prove this joint.
  /// - Parameters:
  ///   - run: The bytes on disk that end at `place`; `nil` if there are none.
  ///   - isWrong: Whether further bytes of the connection differ from those after `place`; `false` without a
  ///     comparison.
  ///   - given: The number of bytes from the connection; `nil` if unknown.
  /// - Returns: The bytes to fetch again; `nil` if there are none.
  package mutating func cutTail(
    _ place: Int64, in run: Segment?, isWrong: Bool, after given: Int64? = nil
  ) -> Segment? {
    doubts[place] = nil
    guard let run, !run.isEmpty else { return nil }
    if isWrong {
      let step = differences[place, default: 0] + 1
      differences[place] = step
      return giveUp(run, before: place, step: step, after: given)
    }
    let end = max(run.lowerBound, (place - Joint.overlap(after: given)) / unit * unit)
    if end > run.lowerBound { doubt(end, after: given) }
    return end..<place
  }

  /// Whether so many connections that ended at `place` have disagreed with the bytes behind it that these bytes may be
  /// the wrong ones. In that case nobody knows where the wrong bytes end.
  package func isHopeless(_ place: Int64) -> Bool { differences[place, default: 0] >= Joint.steps.count }

  private mutating func giveUp(_ run: Segment, before place: Int64, step: Int, after given: Int64?) -> Segment {
    var step = step
    while Joint.end(of: run, after: step, unit: unit) >= place { step += 1 }
    let end = Joint.end(of: run, after: step, unit: unit)
    if end > run.lowerBound { doubts[end] = Doubt(first: run.upperBound, step: step, given: given) }
    return end..<place
  }

  /// Records that a joint moved back, and returns whether joints may move back again.
  /// - Parameter reached: The number of bytes of the file on disk.
  package mutating func mayMoveAgain(reached: Int64) -> Bool {
    if reached >= furthest + Joint.newGround { (furthest, moves) = (reached, 0) }
    moves += 1
    return moves <= Self.patience
  }
}
