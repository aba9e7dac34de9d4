// Checksums of the written bytes of a file, block by block, and in which order: a part file is compared with them before
// it is continued, and a published file when it is to be repaired.

/// The checksums of the bytes that were written of a file, in extents of a block at most.
///
/// Adjacent ranges become one extent within a block of ``block`` bytes. For a large file there would
/// be too many of those: older ones are merged into larger ones, so that there never are many
/// more than ``limit``, while the newest stay separate, because those are what a crash damages.
public struct BlockSums: Sendable {
  /// Bytes whose checksum is known.
  public struct Extent: Sendable, Hashable {
    /// Where it begins.
    public var lower: Int64
    /// One past its last byte.
    public var upper: Int64
    /// The checksum of its bytes.
    public var sum: CRC32C
    /// When its last byte was written: the amount written by then, in blocks.
    public var mark: UInt32

    /// Makes an extent.
    public init(_ segment: Segment, _ sum: CRC32C, mark: UInt32 = 0) {
      (lower, upper) = (segment.lowerBound, segment.upperBound)
      (self.sum, self.mark) = (sum, mark)
    }

    /// The bytes that it is of.
    public var segment: Segment { lower..<upper }

    /// How many they are.
    public var count: Int64 { upper - lower }

    /// This extent and the next one, which begins where it ends.
    func joined(_ next: Extent) -> Extent {
      Extent(lower..<next.upper, sum.followed(by: next.sum, CRC32C.Length(next.count)), mark: max(mark, next.mark))
    }
  }

  /// Bytes of a block as it is written. Summing starts again at each multiple of it.
  public static let block: Int64 = 1 << 20
  /// The number of extents that are kept, approximately.
  public static let limit = 4096
  /// Bytes that were written last and are checked before they are continued, approximately.
  public static let lookBack: Int64 = 64 << 20
  /// Extents above the limit before old ones are merged, so that this is not done for each.
  static let slack = 256

  /// The extents, ascending; no two overlap.
  public internal(set) var extents: [Extent] = []
  /// Bytes ever written; those written twice count twice.
  public internal(set) var written: Int64 = 0
  /// The range within which old extents are merged: ``block`` times a power of two.
  var coarseBlock = BlockSums.block
  /// The number of extents at which old ones are merged next.
  private var ceiling = BlockSums.limit + BlockSums.slack

  /// An empty set.
  public init() {}

  /// Whether nothing is known.
  public var isEmpty: Bool { extents.isEmpty }

  /// The bytes whose checksum is known.
  public var covered: SegmentSet {
    var set = SegmentSet()
    for extent in extents { set.insert(extent.segment) }
    return set
  }

  /// The mark of bytes written now.
  public var mark: UInt32 { UInt32(clamping: written / BlockSums.block) }

  // MARK: Writing

  /// Records written bytes, which should not cross a multiple of ``block``. They replace what was known of
  /// them; an extent that they cover in part becomes unknown, because it cannot be split.
  public mutating func insert(_ segment: Segment, _ sum: CRC32C) {
    guard !segment.isEmpty, segment.lowerBound >= 0 else { return }
    written += segment.upperBound - segment.lowerBound
    var extent = Extent(segment, sum, mark: mark)
    var place = clear(segment)
    let line = segment.lowerBound / BlockSums.block * BlockSums.block
    if place < extents.count, extents[place].lower == extent.upper,
      extents[place].upper <= line.saturatingSum(BlockSums.block)
    {
      extent = extent.joined(extents.remove(at: place))
    }
    if place > 0, extents[place - 1].upper == extent.lower, extents[place - 1].lower >= line {
      place -= 1
      extents[place] = extents[place].joined(extent)
    } else {
      extents.insert(extent, at: place)
    }
    if extents.count > ceiling { coarsen() }
  }

  /// Forgets what is known of `segment`, and of the extents that reach into it.
  public mutating func remove(_ segment: Segment) {
    if !segment.isEmpty { _ = clear(segment) }
  }

  /// What is known of the bytes of `claims` alone.
  public func restricted(to claims: SegmentSet) -> BlockSums {
    var result = self
    result.extents = extents.filter { claims.contains($0.segment) }
    return result
  }

  /// Replaces the overlapping extents by one, without merging it.
  mutating func put(_ extent: Extent) {
    extents.insert(extent, at: clear(extent.segment))
  }

  /// Records the checksum of these bytes, except for those that are known already.
  public mutating func add(_ extents: [Extent]) {
    for extent in extents {
      let place = index(after: extent.lower)
      if place == self.extents.count || self.extents[place].lower >= extent.upper {
        self.extents.insert(extent, at: place)
      }
    }
  }

  /// Removes the extents that overlap `segment`; returns its position.
  private mutating func clear(_ segment: Segment) -> Int {
    let first = index(after: segment.lowerBound)
    var last = first
    while last < extents.count, extents[last].lower < segment.upperBound { last += 1 }
    if first < last { extents.removeSubrange(first..<last) }
    return first
  }

  /// The first extent that ends after `position`.
  private func index(after position: Int64) -> Int {
    // Bytes in order, which nearly all are, are found at once.
    if extents.last.map({ $0.upper <= position }) ?? true { return extents.count }
    var (lower, upper) = (0, extents.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if extents[middle].upper > position { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }

  // MARK: Order

  /// The extents that were written last, the very last first: as many as have `bytes` bytes, or all.
  public func writtenLast(_ bytes: Int64 = BlockSums.lookBack) -> [Extent] {
    let order = extents.sorted { ($0.mark, $0.lower) > ($1.mark, $1.lower) }
    var sum: Int64 = 0
    return Array(
      order.prefix { extent in
        defer { sum += extent.count }
        return sum < bytes
      })
  }

  /// Merges old extents until there are not too many.
  private mutating func coarsen() {
    defer { ceiling = max(BlockSums.limit, extents.count) + BlockSums.slack }
    let end = extents.last?.upper ?? 0
    joinOld()
    while extents.count > BlockSums.limit, coarseBlock < end {
      coarseBlock *= 2
      joinOld()
    }
  }

  /// Merges adjacent extents of a coarse block that are older than those that are checked first.
  private mutating func joinOld() {
    let recent = UInt32(clamping: max(0, written - BlockSums.lookBack) / BlockSums.block)
    var joined: [Extent] = []
    joined.reserveCapacity(extents.count)
    for extent in extents {
      if let last = joined.last, last.upper == extent.lower, max(last.mark, extent.mark) < recent,
        last.lower / coarseBlock == (extent.upper - 1) / coarseBlock
      {
        joined[joined.count - 1] = last.joined(extent)
      } else {
        joined.append(extent)
      }
    }
    extents = joined
  }
}

extension BlockSums: Equatable {
  /// Whether the same is known.
  public static func == (one: BlockSums, other: BlockSums) -> Bool {
    one.extents == other.extents && one.written == other.written && one.coarseBlock == other.coarseBlock
  }
}
