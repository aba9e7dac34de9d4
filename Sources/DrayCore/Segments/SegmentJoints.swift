// The unproved joints of a file that several connections fetch, and the bytes that a failed joint gives up (P18).

/// The unproved joints of a file that several connections fetch.
public struct SegmentJoints: Sendable, Equatable {
  /// An unproved joint.
  private struct Doubt: Equatable {
    /// The position before it moved back.
    var first: Int64
    /// The number of times that it moved back.
    var step: Int
    /// The number of bytes that the connection before it gave; `nil` if unknown.
    var given: Int64?
  }

  /// The number of times that joints move back without progress. It bounds a server that pads each cut answer (P13).
  static let patience = 32

  private var doubts: [Int64: Doubt] = [:]
  /// How often the ends of connections at a place differed from the bytes behind it.
  private var differences: [Int64: Int] = [:]
  private var moves = 0
  private var furthest: Int64 = 0

  /// The bytes that are kept or given up together.
  private let unit: Int64

  /// Creates an empty record: no joint is in doubt.
  /// - Parameter unit: The bytes that are kept or given up together.
  public init(unit: Int64 = 1) { self.unit = max(1, unit) }

  /// Records that the connection that brought the bytes before `place` was interrupted there.
  /// - Parameter given: The number of bytes that it gave; `nil` if unknown.
  public mutating func doubt(_ place: Int64, after given: Int64? = nil) {
    if doubts[place] == nil { doubts[place] = Doubt(first: place, step: 0, given: given) }
  }

  /// Records that a connection gave only `given` bytes, all before the joint at `place`. The next one repeats fewer.
  public mutating func shorten(_ place: Int64, after given: Int64) { doubts[place]?.given = given }

  /// Whether the joint at `place` is still unproved.
  public func isDoubted(_ place: Int64) -> Bool { doubts[place] != nil }

  /// Records that the joint at `place` is proved.
  public mutating func prove(_ place: Int64) { doubts[place] = nil }

  /// Returns the bytes before `place` that the next connection repeats.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  public func compared(before place: Int64, in run: Segment?) -> Segment {
    guard let doubt = doubts[place], let run else { return place..<place }
    return Joint.compared(before: place, in: run, after: doubt.given)
  }

  /// Records that the joint at `place` does not hold.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  /// - Returns: The bytes that are given up; `nil` if nothing was in doubt there.
  public mutating func moveBack(_ place: Int64, in run: Segment?) -> Segment? {
    guard let doubt = doubts.removeValue(forKey: place), let run, !run.isEmpty else { return nil }
    return giveUp(run.lowerBound..<max(doubt.first, place), before: place, step: doubt.step + 1, after: doubt.given)
  }

  /// Records that a connection ended at `place`, directly before bytes on disk. No later request begins there, so none
  /// would prove this joint.
  /// - Parameters:
  ///   - run: The bytes on disk that end at `place`; `nil` if there are none.
  ///   - isWrong: Whether its next bytes differ from those after `place`; `false` if nothing was compared.
  ///   - given: The number of bytes that it gave; `nil` if unknown.
  /// - Returns: The bytes to fetch again; `nil` if there are none.
  public mutating func cutTail(
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

  /// Whether so many connections that ended at `place` disagree with the bytes behind it that those may be the wrong
  /// ones. Nothing says where they end.
  public func isHopeless(_ place: Int64) -> Bool { differences[place, default: 0] >= Joint.steps.count }

  private mutating func giveUp(_ run: Segment, before place: Int64, step: Int, after given: Int64?) -> Segment {
    var step = step
    while Joint.end(of: run, after: step, unit: unit) >= place { step += 1 }
    let end = Joint.end(of: run, after: step, unit: unit)
    if end > run.lowerBound { doubts[end] = Doubt(first: run.upperBound, step: step, given: given) }
    return end..<place
  }

  /// Records that a joint moved back, and returns whether joints may still move back.
  /// - Parameter reached: The number of the file's bytes on disk.
  public mutating func mayMoveAgain(reached: Int64) -> Bool {
    if reached >= furthest + Joint.newGround { (furthest, moves) = (reached, 0) }
    moves += 1
    return moves <= Self.patience
  }
}
