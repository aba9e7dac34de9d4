// Checksums of the bytes that were written to a file, block by block, with the order of writing. They show which bytes
// of a part file are valid before it is continued, and which bytes of a published file are valid before a repair.

/// The checksums of a file's written bytes, in extents of at most a block.
///
/// Within a block of ``block`` bytes, adjacent ranges are joined to one extent. A large file would have too many
/// extents, so old ones are merged across blocks; there are never many more than ``limit``. The newest extents stay
/// separate, because a crash damages the newest bytes, and with small extents fewer bytes are lost.
public struct BlockSums: Sendable {
  /// A range of bytes with a known checksum.
  public struct Extent: Sendable, Hashable {
    /// The first byte.
    public var lower: Int64
    /// The position after the last byte.
    public var upper: Int64
    /// The checksum of the extent's bytes.
    public var sum: CRC32C
    /// How many blocks had been written to the file when the last byte of this extent was written.
    public var mark: UInt32

    /// Creates an extent.
    public init(_ segment: Segment, _ sum: CRC32C, mark: UInt32 = 0) {
      (lower, upper) = (segment.lowerBound, segment.upperBound)
      (self.sum, self.mark) = (sum, mark)
    }

    /// The range of bytes.
    public var segment: Segment { lower..<upper }

    /// The number of bytes.
    public var count: Int64 { upper - lower }

    /// Returns the extent that covers both; `next` begins where this extent ends.
    func joined(_ next: Extent) -> Extent {
      Extent(lower..<next.upper, sum.followed(by: next.sum, CRC32C.Length(next.count)), mark: max(mark, next.mark))
    }
  }

  /// The block size in bytes. An extent does not cross a multiple of the block size, unless it was merged.
  public static let block: Int64 = 1 << 20
  /// The approximate maximum number of extents.
  public static let limit = 4096
  /// About how many of the last written bytes are checked before a part file is continued.
  public static let lookBack: Int64 = 64 << 20
  /// How many extents above the limit cause a merge, so that not each new extent does.
  static let slack = 256

  /// The extents, ascending and disjoint.
  public internal(set) var extents: [Extent] = []
  /// The number of bytes ever written; bytes that were written twice count twice.
  public internal(set) var written: Int64 = 0
  /// The size of the ranges within which old extents are merged: ``block`` times a power of two.
  var coarseBlock = BlockSums.block
  /// The number of extents at which the next merge happens.
  private var ceiling = BlockSums.limit + BlockSums.slack

  /// Creates an empty set.
  public init() {}

  /// Whether no checksum is known.
  public var isEmpty: Bool { extents.isEmpty }

  /// The bytes with a known checksum.
  public var covered: SegmentSet {
    var set = SegmentSet()
    for extent in extents { set.insert(extent.segment) }
    return set
  }

  /// The mark that bytes get which are written now.
  public var mark: UInt32 { UInt32(clamping: written / BlockSums.block) }

  // MARK: Writing

  /// Records written bytes, which should not cross a multiple of ``block``. Any extent that overlaps these bytes is
  /// dropped as a whole, because an extent cannot be split.
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

  /// Drops the extents that overlap `segment`.
  public mutating func remove(_ segment: Segment) {
    if !segment.isEmpty { _ = clear(segment) }
  }

  /// Returns the checksums of the extents that lie within `segments`.
  public func restricted(to segments: SegmentSet) -> BlockSums {
    var result = self
    result.extents = extents.filter { segments.contains($0.segment) }
    return result
  }

  /// Inserts an extent without merging.
  mutating func put(_ extent: Extent) {
    extents.insert(extent, at: clear(extent.segment))
  }

  /// Adds these extents, except those that overlap a known one.
  public mutating func add(_ extents: [Extent]) {
    for extent in extents {
      let place = index(after: extent.lower)
      if place == self.extents.count || self.extents[place].lower >= extent.upper {
        self.extents.insert(extent, at: place)
      }
    }
  }

  /// Removes extents that overlap `segment`.
  /// - Returns: The index for a new extent at that position.
  private mutating func clear(_ segment: Segment) -> Int {
    let first = index(after: segment.lowerBound)
    var last = first
    while last < extents.count, extents[last].lower < segment.upperBound { last += 1 }
    if first < last { extents.removeSubrange(first..<last) }
    return first
  }

  private func index(after position: Int64) -> Int {
    // Most bytes arrive in order, so the end is checked first.
    if extents.last.map({ $0.upper <= position }) ?? true { return extents.count }
    var (lower, upper) = (0, extents.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if extents[middle].upper > position { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }

  // MARK: Order

  /// Returns the extents that were written last, newest first: enough for `bytes` bytes, or all.
  public func writtenLast(_ bytes: Int64 = BlockSums.lookBack) -> [Extent] {
    let order = extents.sorted { ($0.mark, $0.lower) > ($1.mark, $1.lower) }
    var sum: Int64 = 0
    return Array(
      order.prefix { extent in
        defer { sum += extent.count }
        return sum < bytes
      })
  }

  /// Merges old extents until few enough are left.
  private mutating func coarsen() {
    defer { ceiling = max(BlockSums.limit, extents.count) + BlockSums.slack }
    let end = extents.last?.upper ?? 0
    joinOld()
    while extents.count > BlockSums.limit, coarseBlock < end {
      coarseBlock *= 2
      joinOld()
    }
  }

  /// Merges old extents within coarse blocks. Recent extents stay separate, because they are checked first after a
  /// crash.
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
  /// Whether both have the same checksums.
  public static func == (one: BlockSums, other: BlockSums) -> Bool {
    one.extents == other.extents && one.written == other.written && one.coarseBlock == other.coarseBlock
  }
}
