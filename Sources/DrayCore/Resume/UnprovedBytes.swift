// Bytes of mirrors that are on disk and do not count yet, by mirror: the bookkeeping (P16). Pure.

/// Bytes that were written and that nothing may claim before they were compared with the file's own server.
public struct UnprovedBytes: Sendable {
  /// What came since the last comparison began, and what is being compared, with their checksums.
  private var waiting: [Int: BlockSums] = [:]
  private var compared: [Int: BlockSums] = [:]

  /// Nothing.
  public init() {}

  /// Whether all that is on disk counts.
  public var isEmpty: Bool { waiting.isEmpty && compared.isEmpty }

  /// Records a source's bytes.
  public mutating func note(_ extent: BlockSums.Extent, of source: Int) {
    waiting[source, default: BlockSums()].insert(extent.segment, extent.sum)
  }

  /// Begins to compare all pending bytes.
  /// - Returns: the places that decide.
  public mutating func begin() -> [Segment] {
    putBack()
    swap(&waiting, &compared)
    return compared.keys.sorted().flatMap { compared[$0].map { MirrorSample.places(of: $0.covered) } ?? [] }
  }

  /// All bytes being compared match.
  /// - Returns: the bytes that count from now on.
  public mutating func prove() -> [BlockSums.Extent] {
    defer { compared = [:] }
    return compared.values.flatMap(\.extents).sorted { $0.lower < $1.lower }
  }

  /// It could not be compared.
  public mutating func putBack() {
    for (source, sums) in compared {
      for extent in sums.extents { note(extent, of: source) }
    }
    compared = [:]
  }

  /// The source of the byte at this position, of those being compared.
  public func source(of position: Int64) -> Int? {
    compared.first { $0.value.extents.contains { $0.segment.contains(position) } }?.key
  }

  /// Returns the source of the byte at this position, whether it is being compared or not; `nil` if there is none.
  public func holder(of position: Int64) -> Int? {
    source(of: position) ?? waiting.first { $0.value.extents.contains { $0.segment.contains(position) } }?.key
  }

  /// All bytes of this source are discarded.
  /// - Returns: these bytes.
  public mutating func drop(_ source: Int) -> SegmentSet {
    var dropped = SegmentSet()
    for sums in [waiting.removeValue(forKey: source), compared.removeValue(forKey: source)] {
      for extent in sums?.extents ?? [] { dropped.insert(extent.segment) }
    }
    return dropped
  }
}
