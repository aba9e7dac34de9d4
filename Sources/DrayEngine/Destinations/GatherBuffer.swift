// Buffers that gather the bytes of bodies before they are written, from a pool of limited size.

internal import Synchronization

/// Bytes that are written with one system call. A buffer has one owner at a time: first the loop's thread, then a
/// ``DigestFollower``.
final class GatherBuffer: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 4096)
    self.capacity = capacity
  }

  deinit { memory.deallocate() }

  var size: Int { memory.count }
  /// The maximum number of gathered bytes.
  private(set) var capacity: Int
  var isFull: Bool { count == capacity }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Adds as many bytes as fit, and returns their number.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, capacity - count)
    guard taken > 0, let target = memory.baseAddress, let source = bytes.baseAddress else { return 0 }
    (target + count).copyMemory(from: source, byteCount: taken)
    count += taken
    return taken
  }

  func clear() { count = 0 }

  /// Limits how many bytes this empty buffer gathers.
  func limit(to bytes: Int) { capacity = min(bytes, size) }

  func unlimit() { capacity = size }

  var isLarge: Bool { size > GatherBufferPool.bufferSize }
}

/// The pool of buffers; used only on the loop's thread.
final class GatherBufferPool {
  /// The size of a buffer in bytes. The size is chosen so that received bytes are still in the processor's cache when
  /// they are written: a buffer of 64 KiB needs half the processor time of one of 256 KiB (Benchmarks/).
  static let bufferSize = 64 << 10
  /// The size in bytes of a buffer for uncached writes. Buffers for uncached writes are larger, because each write
  /// starts a write-back.
  static let largeSize = 512 << 10
  /// The maximum number of large buffers in use; beyond it, users get small buffers.
  static let largeLimit = 16
  /// The maximum number of free buffers that are kept.
  private static let kept = 32
  private static let largeKept = 2

  private var free: [GatherBuffer] = []
  private var freeLarge: [GatherBuffer] = []
  private var largeCount = 0

  /// Returns a large buffer if one is requested and fewer than ``largeLimit`` are in use; otherwise a small one.
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

/// Buffers for bytes that wait to be hashed. The loop's thread takes these buffers, and the hashing threads give them
/// back. All files share the buffers, so that their total size is limited for any number of files.
final class SpareBuffers: Sendable {
  /// The maximum total size of all buffers, in use or free.
  static let limit = 32 << 20
  /// The maximum total size of free buffers that are kept.
  static let keptLimit = 8 << 20

  private struct State {
    var kept: [GatherBuffer] = []
    var keptBytes = 0
    var bytes = 0
  }

  private let state = Mutex(State())

  /// Returns an empty buffer of this size; `nil` if the limit is reached.
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

  /// Takes back a buffer of the original size, whatever its content.
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
