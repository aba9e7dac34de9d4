// Which bytes of a file are compared before a mirror's are mixed with them: a pure decision (P2).

/// The samples that a mirror must have in common with what is here.
public enum MirrorSample {
  /// Bytes of one sample.
  public static let length: Int64 = 64 << 10
  /// Bytes that must be here before samples say anything: files of one kind begin alike.
  public static let least: Int64 = 1 << 20

  /// Three segments of `written`, from its beginning, its middle and its end; none where too little is here to tell.
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
}
