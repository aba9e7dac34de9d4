// Each hook has its own process group, so that a signal also reaches its children.

internal import Glibc
internal import Synchronization

enum HookGroups {
  /// Seconds between SIGTERM and SIGKILL.
  private static let grace = 2.0
  private static let running = Mutex<Set<pid_t>>([])

  static func begin(_ group: pid_t) { _ = running.withLock { $0.insert(group) } }

  static func end(_ group: pid_t) { _ = running.withLock { $0.remove(group) } }

  /// Sends SIGTERM to a group, and kills the group after ``grace`` if it still has a process. Returns at once.
  static func askToEnd(_ group: pid_t) {
    kill(-group, SIGTERM)
    Task { await endRest(of: group) }
  }

  /// Called before this process exits at once.
  static func killAll() {
    for group in running.withLock({ $0 }) { kill(-group, SIGKILL) }
  }

  /// Waits for the rest of a group whose first process ended after SIGTERM, and kills the group after ``grace``. While
  /// a group has a process, its number is not reused.
  static func endRest(of group: pid_t) async {
    // Use another task, because the hook's task may be cancelled, and would not sleep.
    await Task {
      let step = 0.05
      for _ in 0..<Int(grace / step) {
        guard kill(-group, 0) == 0 else { return }
        try? await Task.sleep(for: .seconds(step))
      }
      kill(-group, SIGKILL)
    }.value
  }
}
