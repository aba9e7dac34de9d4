// The memory for parts that wait to be uploaded, limited for all files together.

#if ObjectStores

internal import DrayCore
internal import Posix
internal import Synchronization
internal import Threads

/// The bytes of a part. The loop's thread fills the buffer; once it is full, only readers use it, and they do not
/// change it.
final class PartBuffer: CallBuffer, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes up to and including the last written byte.
  private(set) var count = 0

  init(capacity: Int) { memory = .allocate(byteCount: max(1, capacity), alignment: 4096) }

  deinit { memory.deallocate() }

  var capacity: Int { memory.count }

  /// The bytes up to and including the last written byte.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if let target = memory.baseAddress, let source = bytes.baseAddress {
      (target + offset).copyMemory(from: source, byteCount: bytes.count)
    }
    count = max(count, offset + bytes.count)
  }

  func holds(_ other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard offset >= 0, offset + other.count <= count, let mine = memory.baseAddress, let theirs = other.baseAddress
    else {
      return other.isEmpty
    }
    return System.areEqual(mine + offset, theirs, other.count)
  }

  func clear() { count = 0 }

  /// Drops the bytes from `offset` on.
  func cut(to offset: Int) { count = min(count, offset) }
}

/// The memory for all parts of a process, which ``UploadRoom`` divides among files.
final class UploadMemory: Sendable {
  private struct State {
    var room = UploadRoom()
    /// The limits that the active files set, keyed by the number of the file.
    var limits: [Int: Int] = [:]
    var lastNumber = 0
    /// Free buffers of one size, for the next parts of the same files.
    var free: [PartBuffer] = []

    /// Takes a free buffer, or drops free buffers of another size.
    mutating func reuse(_ size: Int) -> PartBuffer? {
      guard size >= Int(UploadPlan.least) else { return nil }
      guard let index = free.firstIndex(where: { $0.capacity == size }) else {
        free = []
        return nil
      }
      return free.remove(at: index)
    }
  }

  private let state = Mutex(State())

  private static let kept = 4

  func enter() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Sets the limit of a file; the largest limit of all files counts.
  func limit(_ number: Int, to limit: Int64) {
    state.withLock { $0.limits[number] = Int(clamping: max(limit, ObjectOptions.leastMemory)) }
  }

  /// Removes a file. If no file remains, no buffers are kept.
  func leave(_ number: Int) {
    state.withLock { state in
      state.limits[number] = nil
      state.room.leave(number)
      if state.limits.isEmpty { state.free = [] }
    }
  }

  var limit: Int { state.withLock { UploadMemory.limit($0) } ?? Int(ObjectOptions.usualMemory) }

  /// Returns the limit; `nil` until a file has set one.
  private static func limit(_ state: State) -> Int? { state.limits.values.max() }

  /// Returns a buffer; `nil` if the file must wait.
  func take(_ size: Int, for number: Int) -> PartBuffer? {
    let now = SteadyClock.now()
    let (mayTake, old) = state.withLock { state -> (Bool, PartBuffer?) in
      // A file sets its limit once the name of its target is fixed. On a busy machine, a fast source would have filled
      // the usual memory by then, which may be more than the user allows.
      let limit = UploadMemory.limit(state) ?? Int(ObjectOptions.leastMemory)
      guard state.room.take(size, for: number, limit: limit, now: now) else { return (false, nil) }
      return (true, state.reuse(size))
    }
    guard mayTake else { return nil }
    return old ?? PartBuffer(capacity: size)
  }

  /// Returns a buffer, even beyond the limit, because the bytes have already arrived.
  func takeAtOnce(_ size: Int) -> PartBuffer {
    let old = state.withLock { state in
      state.room.add(size)
      return state.reuse(size)
    }
    return old ?? PartBuffer(capacity: size)
  }

  func giveBack(_ buffer: PartBuffer) {
    buffer.clear()
    state.withLock { state in
      state.room.giveBack(buffer.capacity)
      if buffer.capacity >= Int(UploadPlan.least), state.free.count < UploadMemory.kept, !state.limits.isEmpty {
        state.free.append(buffer)
      }
    }
  }

  /// Counts one more (1) or one less (-1) part that is about to leave memory.
  func countLeaving(_ change: Int) { state.withLock { $0.room.countLeaving(change) } }
}

#endif
