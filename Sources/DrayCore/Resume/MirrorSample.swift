// Decides which bytes of a mirror are compared with those of the file, before the two are mixed and before the mirror's
// bytes count (P2, P16).

/// The samples of a mirror that must match the bytes on disk.
package enum MirrorSample {
  /// The length of a sample in bytes.
  package static let length: Int64 = 64 << 10
  /// The number of bytes that must be on disk before samples prove anything, because files of the same kind begin
  /// alike.
  package static let least: Int64 = 1 << 20

  /// Returns three segments of `written`: at the beginning, in the middle and at the end. If too few bytes are written,
  /// there are none.
  package static func segments(of written: SegmentSet) -> [Segment] {
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

  /// Returns the places that decide whether a mirror's bytes count: both ends and the middle of each segment. The
  /// places of a long segment are longer.
  package static func places(of brought: SegmentSet) -> [Segment] {
    brought.segments.flatMap { segment -> [Segment] in
      let count = Int64(segment.count)
      let part = min(length, max(shortest, count / 64))
      guard count > 3 * part else { return [segment] }
      let lowers = [segment.lowerBound, segment.lowerBound + (count - part) / 2, segment.upperBound - part]
      return lowers.map { $0..<$0 + part }
    }
  }

  /// The minimum length of a place in bytes.
  static let shortest: Int64 = 4 << 10
}
