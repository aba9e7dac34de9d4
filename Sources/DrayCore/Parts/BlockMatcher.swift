// Finds the blocks of a file in the bytes of another one, wherever they are in it. This is rsync's algorithm, with the
// roles of zsync: the index has the blocks of the wanted file, and the other file is read once from its start to its end.

/// Looks for the blocks of a file in windows of other files' bytes. The memory depends only on the number of blocks.
package final class BlockMatcher {
  /// Consecutive blocks of the file, as they were found in a window.
  package struct Match: Sendable, Equatable {
    /// The bytes of the file.
    package var segment: Segment
    /// The position in the window at which these bytes begin.
    package var offset: Int
  }

  /// The maximum number of different blocks in a bucket of the index. All of them are compared at a position. Only the
  /// buckets of a malicious control file have more; the rest are not found.
  static let maxCollisions = 64
  /// The budget for hashing positions that turn out not to match: a fixed number of bytes, plus a multiple of the bytes
  /// seen. A malicious control file can make every position look like a block (P13).
  static let (freeMisses, missFactor): (Int64, Int64) = (64 << 20, 8)

  private let table: BlockTable
  private let mask: UInt32
  private let shift: UInt32
  /// The first block of each bucket, plus one; 0 for an empty bucket.
  private var heads: [UInt32]
  /// A filter of 32 bits per bucket, indexed by a longer hash: if a bit is not set, no block has that hash.
  private var filter: [UInt64]
  /// The next block of the same bucket, plus one; 0 at the end. By block.
  private var next: [UInt32]
  /// The next block with the same checksums, plus one; 0 at the end. By block.
  private var same: [UInt32]
  private var found: [UInt64]
  /// The number of blocks that were not found yet.
  package private(set) var missing: Int
  /// The block that continues the last match; `nil` if the last position did not match.
  private var following: Int?
  private var seen: Int64 = 0
  private var missed: Int64 = 0

  /// Creates a matcher for the blocks of `table` that are not in `having` entirely.
  package init(_ table: BlockTable, having: SegmentSet = SegmentSet()) {
    self.table = table
    mask = table.form.weakMask
    var bits: UInt32 = 4
    while bits < 24, 1 << bits < table.count { bits += 1 }
    shift = 32 - bits
    heads = [UInt32](repeating: 0, count: 1 << Int(bits))
    filter = [UInt64](repeating: 0, count: max(1, 1 << Int(bits + 5) / 64))
    next = [UInt32](repeating: 0, count: table.count)
    same = [UInt32](repeating: 0, count: table.count)
    found = [UInt64](repeating: 0, count: table.count / 64 + 1)
    missing = table.count
    for segment in having.segments {
      let size = Int64(table.form.blockSize)
      var block = Int((segment.lowerBound + size - 1) / size)
      while block < table.count, table.segment(block).upperBound <= segment.upperBound {
        note(block)
        block += 1
      }
    }
    // Insert in reverse, so that each bucket lists its blocks in order.
    for block in stride(from: table.count - table.form.run, through: 0, by: -1) { index(block) }
  }

  /// The number of bytes that are compared at each position of a window.
  package var context: Int { table.form.blockSize * table.form.run }

  /// The bytes of the file in all blocks that were found, ascending. No two touch.
  package var segments: [Segment] {
    var result: [Segment] = []
    for block in 0..<table.count where isFound(block) {
      let segment = table.segment(block)
      if let last = result.last, last.upperBound == segment.lowerBound {
        result[result.count - 1] = last.lowerBound..<segment.upperBound
      } else {
        result.append(segment)
      }
    }
    return result
  }

  /// Starts with another file.
  package func begin() { following = nil }

  // MARK: The index

  private func isFound(_ block: Int) -> Bool { found[block / 64] >> UInt64(block % 64) & 1 == 1 }

  private func note(_ block: Int) {
    guard !isFound(block) else { return }
    found[block / 64] |= 1 << UInt64(block % 64)
    missing -= 1
  }

  @inline(__always)
  private static func hash(_ first: UInt32, _ second: UInt32) -> UInt32 {
    let mixed = (first ^ (second &* 0x85eb_ca6b)) &* 0x9e37_79b1
    return mixed ^ mixed >> 15 &* 0x2c1b_3c6d
  }

  private func hash(of block: Int) -> UInt32 {
    BlockMatcher.hash(table.weak(block), table.form.run > 1 ? table.weak(block + 1) : 0)
  }

  private func index(_ block: Int) {
    let hash = hash(of: block)
    let bucket = Int(hash >> shift)
    var (other, collisions) = (Int(heads[bucket]) - 1, 0)
    while other >= 0, collisions < BlockMatcher.maxCollisions {
      if table.areEqual(block, other) {
        (same[block], same[other]) = (same[other], UInt32(block + 1))
        return
      }
      (other, collisions) = (Int(next[other]) - 1, collisions + 1)
    }
    guard collisions < BlockMatcher.maxCollisions else { return }
    next[block] = heads[bucket]
    heads[bucket] = UInt32(block + 1)
    let bit = hash >> (shift - 5)
    filter[Int(bit / 64)] |= 1 << UInt64(bit % 64)
  }

  // MARK: Looking

  /// Looks for blocks at every position of `window` that has a whole ``context`` after it.
  /// - Returns: What was found, and the number of bytes at the start of the window that need not be seen again. The next
  ///   window continues with the byte behind them.
  package func scan(_ window: UnsafeRawBufferPointer) -> (matches: [Match], done: Int) {
    let (size, context) = (table.form.blockSize, context)
    var (matches, place): ([Match], Int) = ([], 0)
    defer { seen += Int64(place) }
    while place + context <= window.count {
      // A matched run of blocks goes on with few comparisons.
      if let block = following {
        following = nil
        if isBlock(block, at: place, in: window) {
          take(block, 1, at: place, &matches)
          place += size
          continue
        }
      }
      guard let hit = search(window, from: place) else {
        place = window.count - context + 1
        break
      }
      place = hit.place
      var other = hit.block
      repeat {
        take(other, table.form.run, at: place, &matches)
        other = Int(same[other]) - 1
      } while other >= 0
      // Blocks with the same checksums are found together, so none of them needs another visit.
      same[hit.block] = 0
      following = hit.block + table.form.run < table.count ? hit.block + table.form.run : nil
      place += size * table.form.run
    }
    return (matches, place)
  }

  /// Returns the first position at which blocks match, and the first of these blocks; `nil` if there is none.
  private func search(_ window: UnsafeRawBufferPointer, from start: Int) -> (place: Int, block: Int)? {
    let (size, isPair) = (table.form.blockSize, table.form.run > 1)
    let (mask, shift) = (mask, shift)
    var first = RollingSum(UnsafeRawBufferPointer(rebasing: window[start..<start + size]))
    var second = first
    if isPair { second = RollingSum(UnsafeRawBufferPointer(rebasing: window[start + size..<start + 2 * size])) }
    let last = window.count - context
    return filter.withUnsafeBufferPointer { filter in
      var place = start
      while true {
        let (one, two) = (first.value & mask, isPair ? second.value & mask : 0)
        let hash = BlockMatcher.hash(one, two)
        let bit = hash >> (shift - 5)
        if filter[Int(bit / 64)] >> UInt64(bit % 64) & 1 == 1,
          let block = candidate(Int(hash >> shift), one, two, at: place, in: window)
        {
          return (place, block)
        }
        guard place < last else { return nil }
        first.move(out: window[place], in: window[place + size], count: size)
        if isPair { second.move(out: window[place + size], in: window[place + 2 * size], count: size) }
        place += 1
      }
    }
  }

  /// Returns the block of a bucket that matches at this position of the window; `nil` if none does.
  private func candidate(
    _ bucket: Int, _ one: UInt32, _ two: UInt32, at place: Int, in window: UnsafeRawBufferPointer
  ) -> Int? {
    let (size, isPair) = (table.form.blockSize, table.form.run > 1)
    guard missed <= BlockMatcher.freeMisses.saturatingSum(seen.saturatingProduct(BlockMatcher.missFactor)) else {
      return nil
    }
    var sums: (first: [UInt8], second: [UInt8])?
    var block = Int(heads[bucket]) - 1
    while block >= 0 {
      defer { block = Int(next[block]) - 1 }
      guard table.weak(block) == one, !isPair || table.weak(block + 1) == two else { continue }
      let known =
        sums
        ?? (
          MD4.of(UnsafeRawBufferPointer(rebasing: window[place..<place + size])),
          isPair ? MD4.of(UnsafeRawBufferPointer(rebasing: window[place + size..<place + 2 * size])) : []
        )
      sums = known
      if table.hasStrong(known.first, block), !isPair || table.hasStrong(known.second, block + 1) { return block }
    }
    if sums != nil { missed += Int64(context) }
    return nil
  }

  private func isBlock(_ block: Int, at place: Int, in window: UnsafeRawBufferPointer) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: window[place..<place + table.form.blockSize])
    return RollingSum(bytes).value & mask == table.weak(block) && table.hasStrong(MD4.of(bytes), block)
  }

  /// Marks `count` blocks as found, and adds the new ones to the matches.
  private func take(_ block: Int, _ count: Int, at place: Int, _ matches: inout [Match]) {
    for index in 0..<count where !isFound(block + index) {
      note(block + index)
      let (segment, offset) = (table.segment(block + index), place + index * table.form.blockSize)
      if let last = matches.last, last.segment.upperBound == segment.lowerBound,
        last.offset + last.segment.count == offset
      {
        matches[matches.count - 1].segment = last.segment.lowerBound..<segment.upperBound
      } else {
        matches.append(Match(segment: segment, offset: offset))
      }
    }
    following = block + count < table.count ? block + count : nil
  }
}
