// The unproved joints of a file that several connections fetch, and the bytes that a failed joint gives up (P18).

/// The unproved joints of a file that several connections fetch.
public struct SegmentJoints: Sendable, Equatable {
  /// An unproved joint.
  private struct Doubt: Equatable {
    /// The position before it moved back.
    var first: Int64
    /// The number of times that it moved back.
    var step: Int
  }

  /// The number of bytes beyond the furthest point that count as progress.
  static let newGround: Int64 = 64 << 10
  /// The number of times that joints move back without progress. It bounds a server that pads each cut answer (P13).
  static let patience = 32

  private var doubts: [Int64: Doubt] = [:]
  /// How often the ends of connections at a place differed from the bytes behind it.
  private var differences: [Int64: Int] = [:]
  /// The most bytes that a request repeats, because some servers send only so much per request.
  private var mostCompared = Joint.overlap
  private var moves = 0
  private var furthest: Int64 = 0

  /// The bytes that are kept or given up together.
  private let unit: Int64

  /// Creates an empty record: no joint is in doubt.
  /// - Parameter unit: The bytes that are kept or given up together.
  public init(unit: Int64 = 1) { self.unit = max(1, unit) }

  /// Records that the connection that brought the bytes before `place` was interrupted there.
  public mutating func doubt(_ place: Int64) {
    if doubts[place] == nil { doubts[place] = Doubt(first: place, step: 0) }
  }

  /// Whether the joint at `place` is still unproved.
  public func isDoubted(_ place: Int64) -> Bool { doubts[place] != nil }

  /// Records that the joint at `place` is proved.
  public mutating func prove(_ place: Int64) { doubts[place] = nil }

  /// Returns the bytes before `place` that the next connection repeats.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  public func compared(before place: Int64, in run: Segment?) -> Segment {
    guard doubts[place] != nil, let run else { return place..<place }
    let bytes = Joint.compared(before: place, in: run)
    return max(bytes.lowerBound, place - mostCompared)..<place
  }

  /// Records that an answer had only `count` bytes, all before its joint. Later requests repeat fewer bytes.
  public mutating func shorten(toPartOf count: Int64) { mostCompared = min(mostCompared, max(0, count / 2)) }

  /// Records that the joint at `place` does not hold.
  /// - Parameter run: The bytes on disk that end at `place`; `nil` if there are none.
  /// - Returns: The bytes that are given up; `nil` if nothing was in doubt there.
  public mutating func moveBack(_ place: Int64, in run: Segment?) -> Segment? {
    guard let doubt = doubts.removeValue(forKey: place), let run, !run.isEmpty else { return nil }
    return giveUp(run.lowerBound..<max(doubt.first, place), before: place, step: doubt.step + 1)
  }

  /// Records that a connection ended at `place`, directly before bytes on disk. No later request begins there, so none
  /// would prove this joint.
  /// - Parameters:
  ///   - run: The bytes on disk that end at `place`; `nil` if there are none.
  ///   - isWrong: Whether its next bytes differ from those after `place`; `false` if nothing was compared.
  /// - Returns: The bytes to fetch again; `nil` if there are none.
  public mutating func cutTail(_ place: Int64, in run: Segment?, isWrong: Bool) -> Segment? {
    doubts[place] = nil
    guard let run, !run.isEmpty else { return nil }
    if isWrong {
      let step = differences[place, default: 0] + 1
      differences[place] = step
      return giveUp(run, before: place, step: step)
    }
    let end = max(run.lowerBound, (place - Joint.overlap) / unit * unit)
    if end > run.lowerBound { doubt(end) }
    return end..<place
  }

  /// Whether so many connections that ended at `place` disagree with the bytes behind it that those may be the wrong
  /// ones. Nothing says where they end.
  public func isHopeless(_ place: Int64) -> Bool { differences[place, default: 0] >= Joint.steps.count }

  private mutating func giveUp(_ run: Segment, before place: Int64, step: Int) -> Segment {
    var step = step
    while Joint.end(of: run, after: step, unit: unit) >= place { step += 1 }
    let end = Joint.end(of: run, after: step, unit: unit)
    if end > run.lowerBound { doubts[end] = Doubt(first: run.upperBound, step: step) }
    return end..<place
  }

  /// Records that a joint moved back, and returns whether joints may still move back.
  /// - Parameter reached: The number of the file's bytes on disk.
  public mutating func mayMoveAgain(reached: Int64) -> Bool {
    if reached >= furthest + Self.newGround { (furthest, moves) = (reached, 0) }
    moves += 1
    return moves <= Self.patience
  }
}
