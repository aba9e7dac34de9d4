// The unproved joints of a file that several connections fetch, and the bytes that a failed joint gives up (P18).

/// The unproved joints of a file that several connections fetch.
public struct SegmentJoints: Sendable, Equatable {
  private struct Doubt: Equatable {
    /// The position before the joint moved back.
    var first: Int64
    /// How often the joint moved back.
    var step: Int
    /// The number of bytes from the connection before the joint; `nil` if unknown.
    var given: Int64?
  }

  /// How often joints may move back without progress. A limit for servers that pad each cut answer (P13).
  static let patience = 32

  private var doubts: [Int64: Doubt] = [:]
  /// How often connections that ended at a place differed from the bytes behind it.
  private var differences: [Int64: Int] = [:]
  private var moves = 0
  private var furthest: Int64 = 0

  /// Bytes that are kept or given up together.
  private let unit: Int64

  /// Creates an empty record, with no joint in doubt.
  /// - Parameter unit: The bytes that are kept or given up together.
  public init(unit: Int64 = 1) { self.unit = max(1, unit) }

  /// Records that a connection was interrupted at `place`.
  /// - Parameter given: The number of bytes from that connection; `nil` if unknown.
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
  /// - Returns: The bytes that are given up; `nil` if no joint was in doubt at `place`.
  public mutating func moveBack(_ place: Int64, in run: Segment?) -> Segment? {
    guard let doubt = doubts.removeValue(forKey: place), let run, !run.isEmpty else { return nil }
    return giveUp(run.lowerBound..<max(doubt.first, place), before: place, step: doubt.step + 1, after: doubt.given)
  }

  /// Records that a connection ended at `place`, directly before bytes on disk. No later request begins at `place`, so
  /// none would prove this joint.
  /// - Parameters:
  ///   - run: The bytes on disk that end at `place`; `nil` if there are none.
  ///   - isWrong: Whether the connection's next bytes differ from the bytes after `place`; `false` without a
  ///     comparison.
  ///   - given: The number of bytes from the connection; `nil` if unknown.
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

  /// Whether so many connections that ended at `place` disagree with the bytes behind it that these bytes may be the
  /// wrong ones. Where wrong bytes end is unknown.
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
