// Reads seeds once, from their start to their end, and writes the blocks that they contain to a part file.

internal import DrayEngine

struct SeedReading {
  /// The number of bytes to read at once, in addition to the matcher's context.
  private static let step = 1 << 20

  private let matcher: BlockMatcher
  private let part: any PartStorage
  private let having: SegmentSet

  /// - Parameter having: The bytes that the part file has already.
  init(_ table: BlockTable, _ part: any PartStorage, having: SegmentSet) {
    (self.part, self.having) = (part, having)
    matcher = BlockMatcher(table, having: having)
  }

  /// Opens a regular file; `nil` for anything else, or if it cannot be read. Its last component must not be a link.
  static func open(_ path: String) -> (any StoredBytes)? {
    guard let (directory, name) = try? Adoption.place(of: path) else { return nil }
    return try? LocalDestination(directory, store: nil).openTarget(name)
  }

  /// Reads seeds until no block is missing any more. The call blocks the calling thread.
  /// - Returns: The bytes that the part file has now; empty if no block was found.
  func read(_ paths: [String], isCancelled: () -> Bool) throws(SeedError) -> [Segment] {
    let before = matcher.missing
    var unreadable: [String] = []
    for path in paths where matcher.missing > 0 {
      guard let file = SeedReading.open(path) else {
        unreadable.append("\(TextSafety.escaped(path)) cannot be read")
        continue
      }
      do throws(SeedError) {
        try read(file, isCancelled)
      } catch {
        // A read error ends this seed; the blocks found so far count.
        guard case .refused(.unreadable(let reason)) = error else { throw error }
        unreadable.append(reason)
      }
    }
    if matcher.missing < before { return matcher.segments }
    throw .refused(unreadable.first.map { .unreadable($0) } ?? .nothing)
  }

  private func read(_ file: any StoredBytes, _ isCancelled: () -> Bool) throws(SeedError) {
    let context = matcher.context
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: SeedReading.step + 2 * context, alignment: 4096)
    defer { memory.deallocate() }
    matcher.begin()
    var (position, filled, isOver): (Int64, Int, Bool) = (0, 0, false)
    while !isOver, matcher.missing > 0 {
      if isCancelled() { throw .cancelled }
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[filled..<filled + SeedReading.step])
      let count: Int
      do throws(Failure) { count = try file.read(into: room, at: position) } catch {
        throw .refused(.unreadable("\(error.subject): \(error.reason)"))
      }
      (position, filled, isOver) = (position + Int64(count), filled + count, count == 0)
      // The last block of a file is filled up with zeros.
      if isOver {
        for index in filled..<filled + context { memory[index] = 0 }
        filled += context
      }
      let window = UnsafeRawBufferPointer(rebasing: memory[..<filled])
      let (matches, done) = matcher.scan(window)
      for match in matches { try write(match, of: window) }
      let rest = filled - done
      if done > 0, rest > 0 { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[done..<filled])) }
      filled = max(0, rest)
    }
  }

  /// Writes what is missing of a block. The bytes that the job has already may be of another version, and stay.
  private func write(_ match: BlockMatcher.Match, of window: UnsafeRawBufferPointer) throws(SeedError) {
    var missing = SegmentSet(match.segment)
    for own in having.clamped(to: match.segment).segments { missing.remove(own) }
    for segment in missing.segments {
      let start = match.offset + Int(segment.lowerBound - match.segment.lowerBound)
      let bytes = UnsafeRawBufferPointer(rebasing: window[start..<start + segment.count])
      try SeedError.calling { () throws(Failure) in
        _ = try part.write(bytes, at: segment.lowerBound, stayingInMemory: true)
      }
    }
  }
}
