// Hooks are process groups of their own, so that a signal reaches whatever they have started.

internal import Glibc
internal import Synchronization

/// The process groups of the programs that run just now.
enum HookGroups {
  private static let running = Mutex<Set<pid_t>>([])

  static func begin(_ group: pid_t) { _ = running.withLock { $0.insert(group) } }

  static func end(_ group: pid_t) { _ = running.withLock { $0.remove(group) } }

  /// Kills all of them: this process ends at once.
  static func killAll() {
    for group in running.withLock({ $0 }) { kill(-group, SIGKILL) }
  }

  /// Ends what is left of a group that got SIGTERM, and whose first process has done so: after `grace` seconds it
  /// is killed. A group lives, and its number is not reused, as long as one process is in it.
  static func endRest(of group: pid_t, grace: Double) async {
    // On a task of its own: that of a hook may have been cancelled, and then nothing would be waited for.
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
