// A set of byte positions, kept as sorted half-open segments: what is on disk, what is missing.

/// A half-open byte range `[lower, upper)` of a file.
public typealias Segment = Range<Int64>

/// A set of byte positions as sorted, disjoint, non-adjacent, non-empty segments.
public struct SegmentSet: Sendable, Equatable {
  /// The segments, ascending; no two touch.
  public private(set) var segments: [Segment] = []

  /// The empty set.
  public init() {}

  /// The set that holds the bytes of `segment` (none, if it is empty or begins below zero).
  public init(_ segment: Segment) { insert(segment) }

  /// How many bytes are in the set.
  public var count: Int64 { segments.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

  /// Whether no byte is in the set.
  public var isEmpty: Bool { segments.isEmpty }

  /// How many bytes are there from position 0 without a gap.
  public var prefix: Int64 {
    guard let first = segments.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }

  /// The first bytes that are missing before the last that are there, or after them: `upper` is where the next segment
  /// begins, `nil` if none does. `nil` for the empty set, which has no gap but the whole.
  public var firstGap: (lower: Int64, upper: Int64?)? {
    guard let first = segments.first else { return nil }
    if first.lowerBound > 0 { return (0, first.lowerBound) }
    return (first.upperBound, segments.count > 1 ? segments[1].lowerBound : nil)
  }

  /// One past the last byte of the set, 0 if there is none.
  public var end: Int64 { segments.last?.upperBound ?? 0 }

  /// Adds the bytes of `segment`.
  public mutating func insert(_ segment: Segment) {
    guard !segment.isEmpty, segment.lowerBound >= 0 else { return }
    if extend(by: segment) { return }
    // The first that could touch, and the first that lies wholly beyond.
    let first = segments.firstIndex { $0.upperBound >= segment.lowerBound } ?? segments.endIndex
    let last = segments[first...].firstIndex { $0.lowerBound > segment.upperBound } ?? segments.endIndex
    var merged = segment
    if first < last {
      merged =
        min(
          segment.lowerBound, segments[first].lowerBound)..<max(
          segment.upperBound, segments[last - 1].upperBound)
    }
    segments.replaceSubrange(first..<last, with: [merged])
  }

  /// Removes the bytes of `segment`.
  public mutating func remove(_ segment: Segment) {
    guard !segment.isEmpty else { return }
    // The first that reaches into it, and the first that lies wholly beyond.
    let first = segments.firstIndex { $0.upperBound > segment.lowerBound } ?? segments.endIndex
    let last = segments[first...].firstIndex { $0.lowerBound >= segment.upperBound } ?? segments.endIndex
    guard first < last else { return }
    let head = segments[first].lowerBound..<max(segments[first].lowerBound, segment.lowerBound)
    let tail = min(segments[last - 1].upperBound, segment.upperBound)..<segments[last - 1].upperBound
    segments.replaceSubrange(first..<last, with: [head, tail].filter { !$0.isEmpty })
  }

  /// Whether every byte of `segment` is in the set.
  public func contains(_ segment: Segment) -> Bool {
    segment.isEmpty || segments.contains { $0.lowerBound <= segment.lowerBound && segment.upperBound <= $0.upperBound }
  }

  /// Adds bytes that follow a segment and reach no further than the next begins: the common case, without allocation.
  private mutating func extend(by segment: Segment) -> Bool {
    guard let index = segments.firstIndex(where: { $0.upperBound == segment.lowerBound }) else { return false }
    guard index + 1 == segments.count || segment.upperBound < segments[index + 1].lowerBound else { return false }
    segments[index] = segments[index].lowerBound..<segment.upperBound
    return true
  }

  /// The bytes of this set that lie in `bounds`.
  public func clamped(to bounds: Segment) -> SegmentSet {
    var result = SegmentSet()
    for segment in segments { result.insert(segment.clamped(to: bounds)) }
    return result
  }

  /// The bytes of both sets.
  public func intersection(_ other: SegmentSet) -> SegmentSet {
    var result = SegmentSet()
    for bounds in other.segments { for segment in clamped(to: bounds).segments { result.insert(segment) } }
    return result
  }

  /// The bytes of `[0, size)` that are not in this set.
  public func missing(from size: Int64) -> SegmentSet {
    var result = SegmentSet()
    var position: Int64 = 0
    for segment in segments where segment.lowerBound < size {
      if segment.lowerBound > position { result.insert(position..<segment.lowerBound) }
      position = segment.upperBound
    }
    if position < size { result.insert(position..<size) }
    return result
  }

  /// Whether every byte of `[0, size)` is in the set, and none beyond.
  public func isWhole(_ size: Int64) -> Bool {
    size == 0 ? isEmpty : segments == [0..<size]
  }
}

extension SegmentSet: CustomStringConvertible {
  /// `lower-upper` pairs, half-open, joined by commas; empty for the empty set. The store keeps this form.
  public var description: String {
    segments.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// Reads what ``description`` wrote; `nil` for anything else.
  public init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let lower = Int64(ends[0]), let upper = Int64(ends[1]), lower >= 0, upper > lower
      else { return nil }
      insert(lower..<upper)
    }
  }
}

extension SegmentSet: Codable {
  /// Reads one string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let set = SegmentSet(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a list of segments")
    }
    self = set
  }

  /// Writes one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
