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

/// The pool of gather buffers. Lives on the loop's thread.
final class GatherBufferPool {
  /// Bytes of a buffer. What was received must still be in the processor's cache when it is written: 64 KiB took
  /// half of the processor time of 256 KiB here (Benchmarks/).
  static let bufferSize = 64 << 10
  /// Buffers kept for later.
  private static let kept = 32

  private var free: [GatherBuffer] = []

  func take() -> GatherBuffer { free.popLast() ?? GatherBuffer(capacity: GatherBufferPool.bufferSize) }

  func giveBack(_ buffer: GatherBuffer) {
    buffer.clear()
    if free.count < GatherBufferPool.kept { free.append(buffer) }
  }
}
