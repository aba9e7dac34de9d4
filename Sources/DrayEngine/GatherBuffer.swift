// The buffers that gather body bytes before they are written, pooled and bounded in sum.

internal import Foundation

/// Bytes that wait to be written in one call. Lives on the loop's thread.
final class GatherBuffer {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 4096)
    self.capacity = capacity
  }

  deinit { memory.deallocate() }

  /// Bytes that are gathered at most.
  private(set) var capacity: Int
  var isFull: Bool { count == capacity }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Takes as many bytes as there is room for; says how many.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, capacity - count)
    guard taken > 0, let target = memory.baseAddress, let source = bytes.baseAddress else { return 0 }
    memcpy(target + count, source, taken)
    count += taken
    return taken
  }

  func clear() { count = 0 }

  /// Gathers no more than this from now on, once it is empty.
  func limit(to bytes: Int) { capacity = min(bytes, memory.count) }

  /// Gathers as much as there is memory for.
  func unlimit() { capacity = memory.count }

  var isLarge: Bool { memory.count > GatherBufferPool.bufferSize }
}

/// The pool of gather buffers. Lives on the loop's thread.
final class GatherBufferPool {
  /// Bytes of a buffer. What was received must still be in the processor's cache when it is written: 64 KiB took
  /// half of the processor time of 256 KiB here (Benchmarks/).
  static let bufferSize = 64 << 10
  /// Bytes of a buffer whose writes do not stay in memory: each begins a write-back, and larger ones make fewer.
  static let largeSize = 512 << 10
  /// Large buffers that are in use at once; whoever comes later does with a small one.
  static let largeLimit = 16
  /// Buffers kept for later.
  private static let kept = 32
  private static let largeKept = 2

  private var free: [GatherBuffer] = []
  private var freeLarge: [GatherBuffer] = []
  private var largeCount = 0

  /// A buffer, a large one if that is wanted and there are not too many.
  func take(large: Bool = false) -> GatherBuffer {
    guard large, largeCount < GatherBufferPool.largeLimit else {
      return free.popLast() ?? GatherBuffer(capacity: GatherBufferPool.bufferSize)
    }
    largeCount += 1
    return freeLarge.popLast() ?? GatherBuffer(capacity: GatherBufferPool.largeSize)
  }

  func giveBack(_ buffer: GatherBuffer) {
    buffer.clear()
    buffer.unlimit()
    if buffer.isLarge {
      largeCount -= 1
      if freeLarge.count < GatherBufferPool.largeKept { freeLarge.append(buffer) }
    } else if free.count < GatherBufferPool.kept {
      free.append(buffer)
    }
  }
}
