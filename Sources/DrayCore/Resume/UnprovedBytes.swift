// Keeps track of bytes from mirrors that are on disk but do not count yet (P16).

/// Bytes on disk that must not be recorded before they were compared with those of the file's own server.
public struct UnprovedBytes: Sendable {
  /// By source and with their checksums: the bytes that arrived since the last comparison began, and the bytes that are
  /// being compared.
  private var waiting: [Int: BlockSums] = [:]
  private var compared: [Int: BlockSums] = [:]

  /// Creates an empty record.
  public init() {}

  /// Whether all bytes on disk count.
  public var isEmpty: Bool { waiting.isEmpty && compared.isEmpty }

  /// Records bytes from a source.
  public mutating func note(_ extent: BlockSums.Extent, of source: Int) {
    waiting[source, default: BlockSums()].insert(extent.segment, extent.sum)
  }

  /// Starts a comparison of all pending bytes.
  /// - Returns: The places to compare.
  public mutating func begin() -> [Segment] {
    putBack()
    swap(&waiting, &compared)
    return compared.keys.sorted().flatMap { compared[$0].map { MirrorSample.places(of: $0.covered) } ?? [] }
  }

  /// Records that all bytes that are being compared match.
  /// - Returns: The bytes that count from now on.
  public mutating func prove() -> [BlockSums.Extent] {
    defer { compared = [:] }
    return compared.values.flatMap(\.extents).sorted { $0.lower < $1.lower }
  }

  /// Records that the bytes could not be compared, so that they wait for the next comparison.
  public mutating func putBack() {
    for (source, sums) in compared {
      for extent in sums.extents { note(extent, of: source) }
    }
    compared = [:]
  }

  /// Returns the source of the byte at this position, if that byte is being compared.
  public func source(of position: Int64) -> Int? {
    compared.first { $0.value.extents.contains { $0.segment.contains(position) } }?.key
  }

  /// Returns the source of the byte at a position, whether or not it is being compared; `nil` if there is none.
  public func holder(of position: Int64) -> Int? {
    source(of: position) ?? waiting.first { $0.value.extents.contains { $0.segment.contains(position) } }?.key
  }

  /// Discards all bytes from this source.
  /// - Returns: The discarded bytes.
  public mutating func drop(_ source: Int) -> SegmentSet {
    var dropped = SegmentSet()
    for sums in [waiting.removeValue(forKey: source), compared.removeValue(forKey: source)] {
      for extent in sums?.extents ?? [] { dropped.insert(extent.segment) }
    }
    return dropped
  }
}
