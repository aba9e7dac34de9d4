// What a hook reads and writes is in files without names, where pipes would do harm: a hook that does not read would break
// one, and a process that it leaves behind, and that keeps its output open, would hold one up.

internal import Foundation
internal import Synchronization
internal import SystemPackage

/// A temporary file that nobody else sees.
struct HookFile {
  let descriptor: FileDescriptor

  /// Makes one with these bytes in it, to be read from its start; `nil` where that cannot be.
  init?(_ bytes: [UInt8] = []) {
    let path = (NSTemporaryDirectory() as NSString).appendingPathComponent("dray-hook-\(UUID().uuidString)")
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    unlink(path)
    descriptor = FileDescriptor(rawValue: number)
    guard bytes.isEmpty || (try? descriptor.writeAll(toAbsoluteOffset: 0, bytes)) == bytes.count else {
      close()
      return nil
    }
  }

  /// The end of what was written.
  func read(_ limit: Int) -> [UInt8] {
    let number = descriptor.rawValue
    let size = lseek(number, 0, SEEK_END)
    guard size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(size)))
    let count = pread(number, &bytes, bytes.count, size - off_t(bytes.count))
    return Array(bytes.prefix(max(0, count)))
  }

  func close() { try? descriptor.close() }
}

/// A time limit on something that may end before it.
final class HookDeadline: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  /// Whether the time was over before the end.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Calls `act` after some seconds, unless it is stopped before.
  func start(after seconds: Double, _ act: @escaping @Sendable () async -> Void) {
    let task = Task {
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      self.state.withLock { $0.isOver = true }
      await act()
    }
    state.withLock { $0.task = task }
  }

  func stop() { state.withLock { $0.task }?.cancel() }
}
