// Encodes block checksums as bytes, about seven for each extent: all extents, or only those since a mark.

extension BlockSums {
  private static let version: UInt8 = 1

  /// Returns the checksums as bytes.
  /// - Parameter since: If given, extents that were written before this ``mark`` are left out. Such a result can be
  ///   laid over an earlier encoding.
  public func encoded(since: UInt32 = 0) -> [UInt8] {
    var bytes: [UInt8] = [BlockSums.version]
    bytes.reserveCapacity(16 + 8 * extents.count)
    bytes.append(variable: UInt64(written))
    bytes.append(variable: UInt64(coarseBlock / BlockSums.block))
    var (position, mark): (Int64, UInt32) = (0, 0)
    for extent in extents where extent.mark >= since {
      bytes.append(variable: UInt64(extent.lower - position))
      // In the usual case, the extent ends where a block ends.
      let lines = extent.upper / BlockSums.block - extent.lower / BlockSums.block
      let endsOnLine = extent.upper % BlockSums.block == 0
      bytes.append(variable: UInt64(endsOnLine ? lines : extent.count) << 1 | (endsOnLine ? 1 : 0))
      let step = Int64(extent.mark) - Int64(mark)
      bytes.append(variable: UInt64(bitPattern: step << 1 ^ step >> 63))
      bytes.append(contentsOf: extent.sum.bytes)
      (position, mark) = (extent.upper, extent.mark)
    }
    return bytes
  }

  /// Whether so much was written since `mark` that all checksums should be recorded again.
  public func isToBeRecordedInFull(since mark: UInt32) -> Bool { self.mark - min(mark, self.mark) > 256 }

  /// These checksums, if they are worth keeping for a complete file; otherwise `nil`. For a file of one block they are
  /// not: the digest of the file shows damage, and a repair fetches the whole block anyway.
  public var ifWorthKeeping: BlockSums? { extents.last?.upper ?? 0 > BlockSums.block ? self : nil }

  /// Reads the results of ``encoded(since:)``: a full encoding, and possibly a recent one that is laid over it.
  /// - Returns: `nil` if the bytes are invalid; all checksums then count as unknown.
  public init?(_ all: [UInt8], recent: [UInt8]? = nil) {
    guard let known = BlockSums(reading: all) else { return nil }
    self = known
    guard let recent else { return }
    guard let news = BlockSums(reading: recent), news.written >= written else { return nil }
    for extent in news.extents { put(extent) }
    (written, coarseBlock) = (news.written, news.coarseBlock)
  }

  private init?(reading bytes: [UInt8]) {
    self.init()
    var rest = bytes[...]
    guard rest.popFirst() == BlockSums.version, let written = rest.popVariable(), let blocks = rest.popVariable(),
      blocks > 0, blocks <= 1 << 40, blocks.nonzeroBitCount == 1
    else { return nil }
    self.written = Int64(written)
    coarseBlock = Int64(blocks) * BlockSums.block
    var (position, mark): (Int64, Int64) = (0, 0)
    while !rest.isEmpty {
      guard let gap = rest.popVariable(), let length = rest.popVariable(), let step = rest.popVariable(),
        rest.count >= 4
      else { return nil }
      let (lower, isOver) = position.addingReportingOverflow(Int64(gap))
      let count = Int64(length >> 1)
      let (end, isBeyond) =
        length & 1 == 0
        ? lower.addingReportingOverflow(count)
        : (lower / BlockSums.block).addingReportingOverflow(count)
      guard !isOver, !isBeyond, length & 1 == 0 || end <= .max / BlockSums.block else { return nil }
      let upper = length & 1 == 0 ? end : end * BlockSums.block
      mark += Int64(step >> 1) ^ -Int64(step & 1)
      guard upper > lower, let marked = UInt32(exactly: mark) else { return nil }
      let sum = rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      rest.removeFirst(4)
      extents.append(Extent(lower..<upper, CRC32C(sum), mark: marked))
      position = upper
    }
  }
}

extension [UInt8] {
  /// Appends seven bits per byte, the lowest first. The highest bit of a byte says that another byte follows.
  fileprivate mutating func append(variable value: UInt64) {
    var value = value
    while value > 0x7F {
      append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    append(UInt8(value))
  }
}

extension ArraySlice<UInt8> {
  /// Reads a value that `append(variable:)` wrote; `nil` if it does not end or needs more than 62 bits.
  fileprivate mutating func popVariable() -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while let byte = popFirst() {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value < 1 << 62 ? value : nil }
      shift += 7
      if shift > 56 { return nil }
    }
    return nil
  }
}
