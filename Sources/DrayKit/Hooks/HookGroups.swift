// Each hook has its own process group, so that a signal also reaches its children.

internal import Posix
internal import Synchronization

enum HookGroups {
  /// Seconds between SIGTERM and SIGKILL.
  private static let grace = 2.0
  private static let running = Mutex<Set<Int32>>([])

  static func begin(_ group: Int32) { _ = running.withLock { $0.insert(group) } }

  static func end(_ group: Int32) { _ = running.withLock { $0.remove(group) } }

  /// Sends SIGTERM to a group, and kills it after ``grace`` if it is still there. Returns at once.
  static func askToEnd(_ group: Int32) {
    System.signalGroup(group, Signal.terminate)
    Task { await endRest(of: group) }
  }

  /// Called before this process exits at once.
  static func killAll() {
    for group in running.withLock({ $0 }) { System.signalGroup(group, Signal.kill) }
  }

  /// Waits for the rest of a group whose first process ended after SIGTERM, and kills the group after ``grace``.
  /// A group exists, and its number is not reused, while it has a process.
  static func endRest(of group: Int32) async {
    // Use another task: the hook's task may be cancelled, and its sleeps would return at once.
    await Task {
      let step = 0.05
      for _ in 0..<Int(grace / step) {
        guard System.signalGroup(group, 0) else { return }
        try? await Task.sleep(for: .seconds(step))
      }
      System.signalGroup(group, Signal.kill)
    }.value
  }
}
