// The joints of a file that several connections fetch: the unproved ones, and the bytes to give up where one fails
// (P18). Pure.

/// The unproved joints of a file that several connections fetch.
public struct SegmentJoints: Sendable, Equatable {
  /// An unproved joint.
  private struct Doubt: Equatable {
    /// The position before it moved back.
    var first: Int64
    /// The number of times that it moved back.
    var step: Int
  }

  /// Bytes beyond the furthest point so far that count as progress.
  static let newGround: Int64 = 64 << 10
  /// How often joints move back without progress, so that a server that pads each cut answer cannot go on forever
  /// (P13).
  static let patience = 32

  private var doubts: [Int64: Doubt] = [:]
  /// The most bytes that a request repeats: some servers send only so much at a time.
  private var mostCompared = Joint.overlap
  private var moves = 0
  private var furthest: Int64 = 0

  /// No joint is in doubt.
  public init() {}

  /// The connection that brought the bytes before `place` was interrupted there.
  public mutating func doubt(_ place: Int64) {
    if doubts[place] == nil { doubts[place] = Doubt(first: place, step: 0) }
  }

  /// Whether the joint at `place` is still to be proved.
  public func isDoubted(_ place: Int64) -> Bool { doubts[place] != nil }

  /// The joint at `place` is proved.
  public mutating func prove(_ place: Int64) { doubts[place] = nil }

  /// Returns the bytes before `place` that the next connection repeats.
  /// - Parameter run: the bytes on disk that end at `place`; `nil` if there are none.
  public func compared(before place: Int64, in run: Segment?) -> Segment {
    guard doubts[place] != nil, let run else { return place..<place }
    let bytes = Joint.compared(before: place, in: run)
    return max(bytes.lowerBound, place - mostCompared)..<place
  }

  /// An answer had only `count` bytes, all before its joint: compare fewer from now on.
  public mutating func shorten(toPartOf count: Int64) { mostCompared = min(mostCompared, max(0, count / 2)) }

  /// The joint at `place` does not hold.
  /// - Parameter run: the bytes on disk that end at `place`; `nil` if there are none.
  /// - Returns: the bytes that are given up; `nil` if nothing was in doubt there.
  public mutating func moveBack(_ place: Int64, in run: Segment?) -> Segment? {
    guard let doubt = doubts.removeValue(forKey: place), let run, !run.isEmpty else { return nil }
    return giveUp(run.lowerBound..<max(doubt.first, place), before: place, step: doubt.step + 1)
  }

  /// A connection ended at `place`, which bytes already follow, so no request would begin there.
  /// - Parameters:
  ///   - run: the bytes on disk that end at `place`; `nil` if there are none.
  ///   - isWrong: whether its next bytes differ from those behind `place`. Otherwise nothing was compared.
  /// - Returns: the bytes that are fetched again; `nil` if there are none.
  public mutating func cutTail(_ place: Int64, in run: Segment?, isWrong: Bool) -> Segment? {
    doubts[place] = nil
    guard let run, !run.isEmpty else { return nil }
    if isWrong { return giveUp(run, before: place, step: 1) }
    let end = max(run.lowerBound, place - Joint.overlap)
    if end > run.lowerBound { doubt(end) }
    return end..<place
  }

  private mutating func giveUp(_ run: Segment, before place: Int64, step: Int) -> Segment {
    var step = step
    while Joint.end(of: run, after: step) >= place { step += 1 }
    let end = Joint.end(of: run, after: step)
    if end > run.lowerBound { doubts[end] = Doubt(first: run.upperBound, step: step) }
    return end..<place
  }

  /// Whether joints may still move back, after one more did.
  /// - Parameter reached: the number of bytes of the file on disk.
  public mutating func mayMoveAgain(reached: Int64) -> Bool {
    if reached >= furthest + Self.newGround { (furthest, moves) = (reached, 0) }
    moves += 1
    return moves <= Self.patience
  }
}
