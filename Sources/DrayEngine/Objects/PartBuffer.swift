// The memory for parts that wait to be uploaded. Its total size is limited for all files together.

internal import DrayCore
internal import Glibc
internal import Synchronization

/// The bytes of a part. The loop's thread fills it; once it is full, others only read it.
final class PartBuffer: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes up to the last written one.
  private(set) var count = 0

  init(capacity: Int) { memory = .allocate(byteCount: max(1, capacity), alignment: 4096) }

  deinit { memory.deallocate() }

  /// The number of bytes that fit.
  var capacity: Int { memory.count }

  /// The bytes up to the last written one.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Writes bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if let target = memory.baseAddress, let source = bytes.baseAddress { memcpy(target + offset, source, bytes.count) }
    count = max(count, offset + bytes.count)
  }

  /// Whether these bytes are at an offset.
  func holds(_ other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard offset >= 0, offset + other.count <= count, let mine = memory.baseAddress, let theirs = other.baseAddress
    else {
      return other.isEmpty
    }
    return memcmp(mine + offset, theirs, other.count) == 0
  }

  func clear() { count = 0 }

  /// Drops the bytes from an offset on.
  func cut(to offset: Int) { count = min(count, offset) }
}

/// The memory for all parts of a process.
final class UploadMemory: Sendable {
  private struct State {
    var used = 0
    /// The number of parts that are being sent or wait to be sent, and so will leave memory.
    var leaving = 0
    /// The limits that the active files ask for.
    var limits: [Int: Int] = [:]
    var lastNumber = 0
    /// Free buffers of one size, for the next parts of the same files.
    var free: [PartBuffer] = []
  }

  private let state = Mutex(State())

  /// The buffers that are kept for reuse.
  private static let kept = 4

  /// Records a file that asks for this limit. The largest one counts.
  func enter(_ limit: Int64) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.limits[state.lastNumber] = Int(clamping: max(limit, ObjectOptions.leastMemory))
      return state.lastNumber
    }
  }

  func leave(_ number: Int) { state.withLock { $0.limits[number] = nil } }

  /// The maximum size of all parts in memory.
  var limit: Int { state.withLock { UploadMemory.limit($0) } }

  private static func limit(_ state: State) -> Int { state.limits.values.max() ?? Int(ObjectOptions.usualMemory) }

  /// Returns a buffer.
  /// - Parameter isForced: Whether the limit may be exceeded.
  /// - Returns: `nil` if there is no room. If no other part is about to leave, the limit does not apply: waiting would
  ///   not end.
  func take(_ size: Int, isForced: Bool = false) -> PartBuffer? {
    let (mayTake, old) = state.withLock { state -> (Bool, PartBuffer?) in
      guard isForced || state.used + size <= UploadMemory.limit(state) || state.leaving == 0 else {
        return (false, nil)
      }
      state.used += size
      guard let index = state.free.firstIndex(where: { $0.capacity == size }) else {
        state.free = []
        return (true, nil)
      }
      return (true, state.free.remove(at: index))
    }
    guard mayTake else { return nil }
    return old ?? PartBuffer(capacity: size)
  }

  func giveBack(_ buffer: PartBuffer) {
    buffer.clear()
    state.withLock { state in
      state.used -= buffer.capacity
      if buffer.capacity >= Int(UploadPlan.least), state.free.count < UploadMemory.kept { state.free.append(buffer) }
    }
  }

  /// Counts one more (1) or one less (-1) part that is about to leave memory.
  func countLeaving(_ change: Int) { state.withLock { $0.leaving += change } }
}
