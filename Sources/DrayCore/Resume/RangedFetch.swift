// Decides how to fetch a file that the server refuses to send as a whole: in ranges of a length that the server
// accepts.

/// The ranges in which such a file is fetched. Some networks refuse to send large files as a whole.
package struct RangedFetch: Sendable, Equatable {
  /// The length of the first range, which also brings the length and the version of the file.
  package static let first: Int64 = 1 << 20
  /// The minimum and the maximum length of a range.
  static let (least, most): (Int64, Int64) = (64 << 10, 1 << 30)

  /// The failure of the request for the whole file, which is reported if the first range is refused as well; `nil` if
  /// an earlier attempt sent that request.
  package private(set) var refusal: Failure?
  /// The length of the next range.
  package private(set) var length: Int64
  /// The length of the last range that was served; `nil` if none was.
  package private(set) var served: Int64?
  /// Whether a longer range was refused, so that lengths do not grow any more.
  private var isLongest: Bool

  /// Begins with ranges after the whole file was refused.
  /// - Parameter known: The length of the ranges that this server is known to serve; `nil` if unknown.
  package init(after refusal: Failure, known: Int64?) {
    (self.refusal, isLongest) = (refusal, known != nil)
    length = min(known ?? RangedFetch.first, RangedFetch.first)
  }

  /// Continues bytes on disk with ranges of the length that this server is known to serve.
  package init(known: Int64) { (length, served, isLongest) = (known, known, true) }

  /// Whether a server with this status may have refused the whole file only because of its length.
  /// - Parameters:
  ///   - asked: The request that was answered.
  ///   - method: The method of the request.
  ///   - kept: The bytes on disk. If there are any, but the whole file was requested, they are not used.
  package static func mayRefuseWhole(_ status: Int, to asked: Ask, method: String, kept: SegmentSet) -> Bool {
    asked == .whole && method == "GET" && kept.isEmpty && refusing.contains(status)
  }

  /// The statuses with which servers refuse whole files.
  private static let refusing: Set<Int> = [400, 413, 416, 501, 502]

  /// Returns the request for the next range of what `asked` requests.
  package func ask(_ asked: Ask) -> Ask {
    switch asked {
    case .whole: .rest(from: 0, to: length, .unconditional)
    case .changed: asked
    // The range is longer by the repeated bytes, so that it brings new bytes as well.
    case .rest(let from, let to, let condition):
      .rest(
        from: from, to: min(to ?? .max, from + max(length, Int64(asked.repeated.count) + RangedFetch.least)), condition)
    }
  }

  /// Decides about the answer to a range. Once any range was served, a range that is refused is halved.
  /// - Parameter action: What would be done with the answer without this rule.
  package mutating func next(_ status: Int, asked: Ask, _ action: AnswerAction) -> AnswerAction {
    if case .write = action, status == 206 {
      served = length
      if !isLongest { length = min(RangedFetch.most, 2 * length) }
      return action
    }
    guard served != nil else { return refusal.map { .stop($0) } ?? action }
    switch action {
    case .askAgain(.whole, .rangeRefused), .askAgain(.whole, .unsatisfied), .stop:
      guard RangedFetch.refusing.contains(status), length > RangedFetch.least else { return action }
      (length, isLongest) = (max(RangedFetch.least, length / 2), true)
      // The rest is requested without an end here, because the next range gets its own end.
      guard case .rest(let from, _, let condition) = asked else { return action }
      return .askAgain(.rest(from: from, condition), nil)
    default:
      return action
    }
  }
}
