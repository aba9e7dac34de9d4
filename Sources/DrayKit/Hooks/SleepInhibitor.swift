// Keeps the machine awake by a lock of logind. A child process, `systemd-inhibit`, holds the lock until its standard
// input is closed. The lock therefore ends with this process, even after a crash.

internal import Posix
internal import Synchronization
internal import Threads

/// A lock of logind that can be taken and released often; if it is refused, nothing happens.
final class SleepInhibitor: Sendable {
  private struct State {
    var child: (process: Int32, input: Int32)?
    /// The kinds of locks to try, in this order. Without a local session (as over ssh), a user may only keep an idle
    /// machine from sleeping.
    var kinds = ["sleep", "idle"]
  }

  private let state = Mutex(State())
  private let executor = BlockingExecutor("dray.awake")

  /// Returns an inhibitor; `nil` if the machine has no system bus.
  static func ifPossible() -> SleepInhibitor? { System.hasSystemBus ? SleepInhibitor() : nil }

  /// Takes the lock, and returns at once.
  func hold() { executor.start { () -> Void in self.apply(true) } }

  /// Releases the lock, and returns at once.
  func letGo() { executor.start { () -> Void in self.apply(false) } }

  /// Releases the lock, and returns once it is released.
  func release() async { _ = await executor.attemptRun { () throws(Failure) -> Void in self.apply(false) } }

  /// Takes or releases the lock. The call blocks briefly, and is made only on the executor.
  private func apply(_ isWanted: Bool) {
    state.withLock { state in
      if let child = state.child, System.hasEnded(child.process) {
        System.close(child.input)
        state.child = nil
        // The lock was refused, so try the next kind.
        if !state.kinds.isEmpty { state.kinds.removeFirst() }
      }
      if isWanted, state.child == nil, let kind = state.kinds.first {
        state.child = try? System.startReader(SleepInhibitor.words(kind), without: ChildProgram.secretVariables)
        // If the program does not exist, try nothing more.
        if state.child == nil { state.kinds = [] }
      }
      guard !isWanted, let child = state.child else { return }
      System.close(child.input)
      _ = System.wait(for: child.process)
      state.child = nil
    }
  }

  /// `cat` ends with its input, and the lock ends with `cat`.
  private static func words(_ kind: String) -> [String] {
    ["systemd-inhibit", "--what=\(kind)", "--who=dray", "--why=Files are being downloaded", "--mode=block", "cat"]
  }
}
