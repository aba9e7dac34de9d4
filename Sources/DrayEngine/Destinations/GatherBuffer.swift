// The buffers that gather body bytes before they are written, pooled and bounded in sum.

internal import Glibc
internal import Synchronization

/// Bytes that wait to be written in one call. Has one owner at a time: the loop's thread, until a ``DigestFollower`` has it.
final class GatherBuffer: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 4096)
    self.capacity = capacity
  }

  deinit { memory.deallocate() }

  /// Bytes that there is memory for.
  var size: Int { memory.count }
  /// Bytes that are gathered at most.
  private(set) var capacity: Int
  var isFull: Bool { count == capacity }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Adds as many bytes as fit; returns how many.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, capacity - count)
    guard taken > 0, let target = memory.baseAddress, let source = bytes.baseAddress else { return 0 }
    memcpy(target + count, source, taken)
    count += taken
    return taken
  }

  func clear() { count = 0 }

  /// Gathers no more than this from now on, once it is empty.
  func limit(to bytes: Int) { capacity = min(bytes, size) }

  /// Gathers as much as there is memory for.
  func unlimit() { capacity = size }

  var isLarge: Bool { size > GatherBufferPool.bufferSize }
}

/// The pool of gather buffers. Lives on the loop's thread.
final class GatherBufferPool {
  /// Bytes of a buffer. What was received must still be in the processor's cache when it is written: 64 KiB took
  /// half of the processor time of 256 KiB here (Benchmarks/).
  static let bufferSize = 64 << 10
  /// Bytes of a buffer whose writes do not stay in memory: each begins a write-back, and larger ones make fewer.
  static let largeSize = 512 << 10
  /// Large buffers that are in use at once; later users get a small one.
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

/// Buffers for what waits to be hashed: handed out on the loop's thread, given back by those who hash. For all files at
/// once, so that what they take together is bounded however many there are.
final class SpareBuffers: Sendable {
  /// Bytes of all buffers that are out or kept.
  static let limit = 32 << 20
  /// Bytes of those that are kept for the next.
  static let keptLimit = 8 << 20

  private struct State {
    var kept: [GatherBuffer] = []
    var keptBytes = 0
    var bytes = 0
  }

  private let state = Mutex(State())

  /// An empty buffer of so many bytes; `nil` if the others have it all.
  func take(_ size: Int) -> GatherBuffer? {
    let (kept, mayMake) = state.withLock { state -> (GatherBuffer?, Bool) in
      if let index = state.kept.lastIndex(where: { $0.size == size }) {
        state.keptBytes -= size
        return (state.kept.remove(at: index), false)
      }
      while state.bytes + size > SpareBuffers.limit, let other = state.kept.popLast() {
        state.keptBytes -= other.size
        state.bytes -= other.size
      }
      guard state.bytes + size <= SpareBuffers.limit else { return (nil, false) }
      state.bytes += size
      return (nil, true)
    }
    return kept ?? (mayMake ? GatherBuffer(capacity: size) : nil)
  }

  /// Accepts a returned buffer of the size of one that was handed out, whatever its content.
  func giveBack(_ buffer: GatherBuffer) {
    buffer.clear()
    buffer.unlimit()
    state.withLock { state in
      if state.keptBytes + buffer.size <= SpareBuffers.keptLimit {
        state.kept.append(buffer)
        state.keptBytes += buffer.size
      } else {
        state.bytes -= buffer.size
      }
    }
  }
}
