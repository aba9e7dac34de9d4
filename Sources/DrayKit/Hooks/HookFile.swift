// The standard input of a hook, in a file without a name. Unlike a pipe, a file causes no error if the hook does not
// read it. This file also contains the time limit of a hook.

internal import FoundationEssentials
internal import Posix
internal import Synchronization

/// A temporary file without a name.
struct HookFile {
  let descriptor: Int32

  /// The position is at the start of the file; the result is `nil` on failure.
  init?(_ bytes: [UInt8]) {
    let path = PathText.join(System.temporaryDirectory, "dray-hook-\(UUID().uuidString)")
    guard let number = try? System.open(path, [.both, .create, .exclusive], mode: 0o600) else { return nil }
    System.remove(path)
    descriptor = number
    do throws(SystemError) { try System.write(bytes, to: descriptor, at: 0) } catch {
      close()
      return nil
    }
  }

  func close() { System.close(descriptor) }
}

/// A time limit for a task that may end earlier.
final class HookDeadline: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Calls `act` after some seconds, unless the deadline is stopped before that.
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
