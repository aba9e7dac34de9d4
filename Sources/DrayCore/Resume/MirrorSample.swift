// Which bytes of a file are compared before a mirror's are mixed with them, and before those count: pure decisions (P2, P16).

/// The samples in which a mirror must match the bytes on disk.
public enum MirrorSample {
  /// Bytes of one sample.
  public static let length: Int64 = 64 << 10
  /// Bytes that must be on disk before samples are meaningful: files of one kind begin alike.
  public static let least: Int64 = 1 << 20

  /// Three segments of `written`, from its beginning, its middle and its end; none if too little is there.
  public static func segments(of written: SegmentSet) -> [Segment] {
    guard written.count >= least else { return [] }
    let places = written.segments.filter { Int64($0.count) >= length }
    guard let first = places.first, let last = places.last else { return [] }
    let middle = places[places.count / 2]
    let center = middle.lowerBound + (Int64(middle.count) - length) / 2
    let lowers = [first.lowerBound, center, last.upperBound - length]
    var samples: [Segment] = []
    for lower in lowers where !samples.contains(where: { $0.lowerBound == lower }) {
      samples.append(lower..<lower + length)
    }
    return samples.count == lowers.count ? samples : []
  }

  /// The places that decide whether a mirror's bytes count: both ends and the middle of each segment, the more of
  /// them the longer it is.
  public static func places(of brought: SegmentSet) -> [Segment] {
    brought.segments.flatMap { segment -> [Segment] in
      let count = Int64(segment.count)
      let part = min(length, max(shortest, count / 64))
      guard count > 3 * part else { return [segment] }
      let lowers = [segment.lowerBound, segment.lowerBound + (count - part) / 2, segment.upperBound - part]
      return lowers.map { $0..<$0 + part }
    }
  }

  /// The smallest place in bytes.
  static let shortest: Int64 = 4 << 10
}
