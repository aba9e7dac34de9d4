// What is in a file that another program began: where there is data at all, and what it sums to.

public import DrayCore
internal import Glibc
public import Posix

extension PartFile {
  /// Bytes that are read at once: a block of the checksums.
  private static let step = Int(BlockSums.block)

  /// The bytes of `range` outside the holes of the file, as far as its file system reports them.
  public func dataSegments(in range: Segment) -> [Segment] {
    var found: [Segment] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let lower = lseek(descriptor, off_t(position), SeekFlag.data)
      // No more data; anything else: the file system does not report holes, and zeros will show them.
      guard lower >= 0 else { return errno == ENXIO ? found : found + [position..<range.upperBound] }
      let hole = lseek(descriptor, lower, SeekFlag.hole)
      let upper = hole < 0 ? range.upperBound : min(Int64(hole), range.upperBound)
      guard Int64(lower) < upper else { break }
      found.append(Int64(lower)..<upper)
      position = upper
    }
    return found
  }

  /// Reads `segments`: where they have other bytes than zeros, and what each block of them sums to. Blocks.
  /// - Returns: `nil` once `isCancelled` says so.
  public func scan(
    _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(SystemError) -> (data: [Segment], blocks: [BlockSums.Extent])? {
    var scan = DataScan()
    var blocks: [BlockSums.Extent] = []
    let isWhole = try read(PartFile.blocks(of: segments), isCancelled: isCancelled) { segment, bytes in
      scan.take(bytes, at: segment.lowerBound)
      blocks.append(BlockSums.Extent(segment, CRC32C(of: bytes)))
    }
    return isWhole ? (scan.found, blocks) : nil
  }

  /// The checksums of `segments`; those of whole blocks that are known already are not computed again. Blocks.
  /// - Returns: `nil` once `isCancelled` says so.
  public func sums(
    of segments: SegmentSet, knowing known: [BlockSums.Extent], isCancelled: () -> Bool
  ) throws(SystemError) -> BlockSums? {
    let known = Dictionary(known.map { ($0.segment, $0.sum) }, uniquingKeysWith: { $1 })
    var sums = BlockSums()
    for segment in PartFile.blocks(of: segments) {
      if let sum = known[segment] {
        sums.insert(segment, sum)
        continue
      }
      let isWhole = try read([segment], isCancelled: isCancelled) { sums.insert($0, CRC32C(of: $1)) }
      guard isWhole else { return nil }
    }
    return sums
  }

  /// The blocks of `segments`, those at their ends in part.
  private static func blocks(of segments: SegmentSet) -> [Segment] {
    segments.segments.flatMap { segment -> [Segment] in
      var (parts, lower): ([Segment], Int64) = ([], segment.lowerBound)
      while lower < segment.upperBound {
        let upper = min((lower / BlockSums.block + 1).saturatingProduct(BlockSums.block), segment.upperBound)
        parts.append(lower..<upper)
        lower = upper
      }
      return parts
    }
  }

  /// Hands on the bytes of each block.
  /// - Returns: `false` once `isCancelled` says so.
  private func read(
    _ blocks: [Segment], isCancelled: () -> Bool, _ take: (Segment, UnsafeRawBufferPointer) -> Void
  ) throws(SystemError) -> Bool {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: PartFile.step, alignment: 4096)
    defer { memory.deallocate() }
    for block in blocks {
      if isCancelled() { return false }
      let wanted = UnsafeMutableRawBufferPointer(rebasing: memory[..<block.count])
      // A file that became shorter meanwhile.
      guard try read(into: wanted, at: block.lowerBound) == wanted.count else { throw SystemError("read", EIO) }
      take(block, UnsafeRawBufferPointer(wanted))
    }
    return true
  }
}

private enum SeekFlag {
  /// `SEEK_DATA` and `SEEK_HOLE` of lseek(2), which Swift does not see without _GNU_SOURCE.
  static let (data, hole): (Int32, Int32) = (3, 4)
}
