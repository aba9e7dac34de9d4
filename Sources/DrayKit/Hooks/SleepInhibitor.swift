// Keeps the machine awake by a lock of logind. A child process, `systemd-inhibit`, holds the lock until its standard
// input closes, so the lock ends with this process, even after a crash.

internal import Posix
internal import Synchronization
internal import Threads

/// A lock of logind, taken and released as often as needed. A refusal has no effect.
final class SleepInhibitor: Sendable {
  private struct State {
    var child: (process: Int32, input: Int32)?
    /// Tried in order. Without a local session (ssh), a user may only prevent the sleep of an idle machine.
    var kinds = ["sleep", "idle"]
  }

  private let state = Mutex(State())
  private let executor = BlockingExecutor("dray.awake")

  /// `nil` without a system bus.
  static func ifPossible() -> SleepInhibitor? { System.hasSystemBus ? SleepInhibitor() : nil }

  /// Returns at once.
  func hold() { executor.start { () -> Void in self.apply(true) } }

  /// Returns at once.
  func letGo() { executor.start { () -> Void in self.apply(false) } }

  /// Returns once the lock is released.
  func release() async { _ = await executor.attemptRun { () throws(Failure) -> Void in self.apply(false) } }

  /// Blocks briefly. Called on the executor only.
  private func apply(_ isWanted: Bool) {
    state.withLock { state in
      if let child = state.child, System.hasEnded(child.process) {
        System.close(child.input)
        state.child = nil
        // The lock was refused.
        if !state.kinds.isEmpty { state.kinds.removeFirst() }
      }
      if isWanted, state.child == nil, let kind = state.kinds.first {
        state.child = try? System.startReader(SleepInhibitor.words(kind), without: ChildProgram.secretVariables)
        // There is no such program.
        if state.child == nil { state.kinds = [] }
      }
      guard !isWanted, let child = state.child else { return }
      System.close(child.input)
      _ = System.wait(for: child.process)
      state.child = nil
    }
  }

  /// `cat` ends with its input, and the lock with `cat`.
  private static func words(_ kind: String) -> [String] {
    ["systemd-inhibit", "--what=\(kind)", "--who=dray", "--why=Files are being downloaded", "--mode=block", "cat"]
  }
}
