// The buffers that gather body bytes before they are written, pooled and bounded in sum.

internal import Foundation

/// Bytes that wait to be written in one call. Lives on the loop's thread.
final class GatherBuffer {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 4096)
  }

  deinit { memory.deallocate() }

  var capacity: Int { memory.count }
  var isFull: Bool { count == memory.count }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Takes as many bytes as there is room for; says how many.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, memory.count - count)
    guard taken > 0, let target = memory.baseAddress, let source = bytes.baseAddress else { return 0 }
    memcpy(target + count, source, taken)
    count += taken
    return taken
  }

  func clear() { count = 0 }
}

/// The pool: large buffers while few transfers run, small ones for many, so that the sum stays bounded. Lives on
/// the loop's thread.
final class GatherBufferPool {
  /// Bytes of a buffer while few are out. 256 KiB was the best of 64 KiB to 1 MiB (Benchmarks/).
  static let large = 256 << 10
  /// Bytes of a buffer once many are out.
  static let small = 64 << 10
  /// Large buffers that may be out at once.
  static let largeCount = 16
  /// Buffers kept for later, of each size.
  private static let kept = 16

  private var free: [Int: [GatherBuffer]] = [:]
  private var out = 0

  /// A buffer for a body of `expected` bytes, or of unknown length.
  func take(expected: Int64?) -> GatherBuffer {
    out += 1
    let fits = (expected ?? .max) <= Int64(GatherBufferPool.small)
    let size = fits || out > GatherBufferPool.largeCount ? GatherBufferPool.small : GatherBufferPool.large
    return free[size]?.popLast() ?? GatherBuffer(capacity: size)
  }

  func giveBack(_ buffer: GatherBuffer) {
    out -= 1
    buffer.clear()
    if free[buffer.capacity, default: []].count < GatherBufferPool.kept {
      free[buffer.capacity, default: []].append(buffer)
    }
  }
}
