// A set of byte positions, as sorted half-open segments, for bytes that are present or missing.

/// A half-open byte range `[lower, upper)` of a file.
public typealias Segment = Range<Int64>

/// A set of byte positions as sorted, disjoint, non-adjacent, non-empty segments.
public struct SegmentSet: Sendable, Equatable {
  /// The segments, ascending. No two touch.
  public private(set) var segments: [Segment] = []

  /// Creates an empty set.
  public init() {}

  /// Creates the set of the bytes of `segment`; empty if `segment` is empty or begins below zero.
  public init(_ segment: Segment) { insert(segment) }

  /// The number of bytes in the set.
  public var count: Int64 { segments.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

  /// Whether the set is empty.
  public var isEmpty: Bool { segments.isEmpty }

  /// The number of bytes from position 0 up to the first gap.
  public var prefix: Int64 {
    guard let first = segments.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }

  /// The first gap before, between or after the segments; `upper` is the start of the next segment, or `nil` if no
  /// segment follows. The result is `nil` for the empty set.
  public var firstGap: (lower: Int64, upper: Int64?)? {
    guard let first = segments.first else { return nil }
    if first.lowerBound > 0 { return (0, first.lowerBound) }
    return (first.upperBound, segments.count > 1 ? segments[1].lowerBound : nil)
  }

  /// The position after the last byte; 0 for the empty set.
  public var end: Int64 { segments.last?.upperBound ?? 0 }

  /// Adds the bytes of `segment`.
  public mutating func insert(_ segment: Segment) {
    guard !segment.isEmpty, segment.lowerBound >= 0 else { return }
    if extend(by: segment) { return }
    // The first segment that may touch the new one, and the first one that lies entirely beyond it.
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
    // The first segment that overlaps `segment`, and the first one that lies entirely beyond it.
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

  /// Handles the common case in place, without allocation: the bytes follow a segment and do not reach the next one.
  /// - Returns: Whether that was the case.
  private mutating func extend(by segment: Segment) -> Bool {
    guard let index = segments.firstIndex(where: { $0.upperBound == segment.lowerBound }) else { return false }
    guard index + 1 == segments.count || segment.upperBound < segments[index + 1].lowerBound else { return false }
    segments[index] = segments[index].lowerBound..<segment.upperBound
    return true
  }

  /// Returns the bytes of this set within `bounds`.
  public func clamped(to bounds: Segment) -> SegmentSet {
    var result = SegmentSet()
    for segment in segments { result.insert(segment.clamped(to: bounds)) }
    return result
  }

  /// Returns the bytes that are in both sets.
  public func intersection(_ other: SegmentSet) -> SegmentSet {
    var result = SegmentSet()
    for bounds in other.segments { for segment in clamped(to: bounds).segments { result.insert(segment) } }
    return result
  }

  /// Returns the bytes of `[0, size)` that are not in this set.
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

  /// Whether the set is exactly `[0, size)`.
  public func isWhole(_ size: Int64) -> Bool {
    size == 0 ? isEmpty : segments == [0..<size]
  }
}

extension SegmentSet: CustomStringConvertible {
  /// The half-open `lower-upper` pairs, joined by commas; empty for the empty set. The store keeps this form.
  public var description: String {
    segments.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// Reads ``description``; `nil` if invalid.
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
  /// Decodes a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let set = SegmentSet(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a list of segments")
    }
    self = set
  }

  /// Encodes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
