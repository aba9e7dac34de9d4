// Finds the data in a copied file, and computes its checksums.

public import DrayCore

extension StoredBytes {
  /// Reads `segments`, finds bytes other than zeros, and computes the checksum of each block. The call blocks the
  /// calling thread.
  /// - Returns: `nil` once `isCancelled` is true.
  public func scan(
    _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> (data: [Segment], blocks: [BlockSums.Extent])? {
    var scan = DataScan()
    var blocks: [BlockSums.Extent] = []
    let isWhole = try readBlocks(segments.blocks, isCancelled: isCancelled) { segment, bytes in
      scan.take(bytes, at: segment.lowerBound)
      blocks.append(BlockSums.Extent(segment, CRC32C(of: bytes)))
    }
    return isWhole ? (scan.found, blocks) : nil
  }

  /// Returns the checksums of `segments`. Whole blocks with known checksums are not read. The call blocks the calling
  /// thread.
  /// - Returns: `nil` once `isCancelled` is true.
  public func sums(
    of segments: SegmentSet, knowing known: [BlockSums.Extent], isCancelled: () -> Bool
  ) throws(Failure) -> BlockSums? {
    let known = Dictionary(known.map { ($0.segment, $0.sum) }, uniquingKeysWith: { $1 })
    var sums = BlockSums()
    for segment in segments.blocks {
      if let sum = known[segment] {
        sums.insert(segment, sum)
        continue
      }
      let isWhole = try readBlocks([segment], isCancelled: isCancelled) { sums.insert($0, CRC32C(of: $1)) }
      guard isWhole else { return nil }
    }
    return sums
  }

  private func readBlocks(
    _ blocks: [Segment], isCancelled: () -> Bool, _ take: (Segment, UnsafeRawBufferPointer) -> Void
  ) throws(Failure) -> Bool {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(BlockSums.block), alignment: 4096)
    defer { memory.deallocate() }
    for block in blocks {
      if isCancelled() { return false }
      let wanted = UnsafeMutableRawBufferPointer(rebasing: memory[..<block.count])
      guard try read(into: wanted, at: block.lowerBound) == wanted.count else { throw .becameShorter(path) }
      take(block, UnsafeRawBufferPointer(wanted))
    }
    return true
  }
}

extension PartStorage {
  /// Copies segments. Afterwards, the bytes between the segments are undefined. The call blocks the calling thread.
  /// - Returns: `false` once `isCancelled` is true.
  public func copyByHand(
    _ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool
  ) throws(Failure) -> Bool {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { memory.deallocate() }
    for segment in segments.segments {
      var position = segment.lowerBound
      while position < segment.upperBound {
        if isCancelled() { return false }
        let wanted = Int(min(Int64(memory.count), segment.upperBound - position))
        let count = try other.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted]), at: position)
        guard count > 0 else { throw .becameShorter(other.path) }
        _ = try write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: position, stayingInMemory: true)
        position += Int64(count)
      }
    }
    return true
  }
}

extension SegmentSet {
  /// The blocks of checksums that the segments cover. The first and the last block of a segment may be partial.
  fileprivate var blocks: [Segment] {
    segments.flatMap { segment -> [Segment] in
      var (parts, lower): ([Segment], Int64) = ([], segment.lowerBound)
      while lower < segment.upperBound {
        let upper = min((lower / BlockSums.block + 1).saturatingProduct(BlockSums.block), segment.upperBound)
        parts.append(lower..<upper)
        lower = upper
      }
      return parts
    }
  }
}

extension Failure {
  static func becameShorter(_ path: String) -> Failure {
    Failure(
      .file, path, "it became shorter while it was read", advice: "check the disk", recovery: .keep)
  }
}
