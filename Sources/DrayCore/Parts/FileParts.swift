// Which parts of a file are there and which are being fetched, for whoever looks at a transfer.

/// The parts of a file while several connections fetch it.
public struct FileParts: Sendable, Equatable {
  /// What is there.
  public var done: SegmentSet
  /// What each connection has still to bring.
  public var fetching: [Segment]

  /// Parts.
  public init(done: SegmentSet, fetching: [Segment]) { (self.done, self.fetching) = (done, fetching) }

  /// The most segments that are reported: a file in more pieces is not shown by parts.
  public static let mostReported = 256

  /// `DONE/FETCHING`, each `lower-upper` pairs joined by commas; `nil` for more than ``mostReported``.
  public var text: String? {
    guard done.segments.count + fetching.count <= FileParts.mostReported else { return nil }
    return "\(done)/" + fetching.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// Reads what ``text`` wrote; `nil` for anything else.
  public init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let done = SegmentSet(String(halves[0])) else { return nil }
    var fetching: [Segment] = []
    for part in halves[1].split(separator: ",") {
      // A set of one: two connections may stand next to each other, and stay two.
      guard let one = SegmentSet(String(part)), let segment = one.segments.first else { return nil }
      fetching.append(segment)
    }
    self.init(done: done, fetching: fetching)
  }
}
