// The standard input of a hook, as a file without a name, because a hook that does not read would break a pipe. Also
// the time limit of a hook.

internal import FoundationEssentials
internal import Glibc
internal import Posix
internal import Synchronization
internal import SystemPackage

/// Temporary, without a name.
struct HookFile {
  let descriptor: FileDescriptor

  /// Positioned at its start; `nil` on failure.
  init?(_ bytes: [UInt8]) {
    let path = PathText.join(System.temporaryDirectory, "dray-hook-\(UUID().uuidString)")
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    unlink(path)
    descriptor = FileDescriptor(rawValue: number)
    guard bytes.isEmpty || (try? descriptor.writeAll(toAbsoluteOffset: 0, bytes)) == bytes.count else {
      close()
      return nil
    }
  }

  func close() { try? descriptor.close() }
}

/// A time limit for a task that may end earlier.
final class HookDeadline: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Acts after some seconds, unless stopped earlier.
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
