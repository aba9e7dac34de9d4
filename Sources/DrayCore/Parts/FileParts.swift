/// The parts of a file, for display, while several connections fetch it.
public struct FileParts: Sendable, Equatable {
  /// The bytes that are present.
  public var done: SegmentSet
  /// The bytes that each connection has yet to fetch.
  public var fetching: [Segment]

  /// Creates parts.
  public init(done: SegmentSet, fetching: [Segment]) { (self.done, self.fetching) = (done, fetching) }

  /// The maximum number of segments that are reported. A file with more is not shown by parts.
  public static let mostReported = 256

  /// `DONE/FETCHING`, each a list of `lower-upper` pairs joined by commas; `nil` for more than ``mostReported``
  /// segments.
  public var text: String? {
    guard done.segments.count + fetching.count <= FileParts.mostReported else { return nil }
    return "\(done)/" + fetching.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// Reads ``text``; `nil` if invalid.
  public init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let done = SegmentSet(String(halves[0])) else { return nil }
    var fetching: [Segment] = []
    for part in halves[1].split(separator: ",") {
      // Each segment is read separately, because a set would join adjacent ones.
      guard let one = SegmentSet(String(part)), let segment = one.segments.first else { return nil }
      fetching.append(segment)
    }
    self.init(done: done, fetching: fetching)
  }
}
