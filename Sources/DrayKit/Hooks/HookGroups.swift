// The process groups of hooks: each hook has a separate group, so that a signal also reaches the hook's children.

internal import Posix
internal import Synchronization

enum HookGroups {
  /// The seconds between SIGTERM and SIGKILL.
  private static let grace = 2.0
  private static let running = Mutex<Set<Int32>>([])

  static func begin(_ group: Int32) { _ = running.withLock { $0.insert(group) } }

  static func end(_ group: Int32) { _ = running.withLock { $0.remove(group) } }

  /// Sends SIGTERM to a running group, and kills the group if it still exists after ``grace``. The call returns at once.
  static func askToEnd(_ group: Int32) {
    guard running.withLock({ $0.contains(group) }) else { return }
    System.signalGroup(group, Signal.terminate)
    Task { await endRest(of: group) }
  }

  /// Called before this process exits at once.
  static func killAll() {
    for group in running.withLock({ $0 }) { System.signalGroup(group, Signal.kill) }
  }

  /// Called after SIGTERM has ended the first process of a group: waits for the other processes, and kills them after
  /// ``grace``. A group exists as long as it has a process, and until then its number is not reused.
  static func endRest(of group: Int32) async {
    // Use a separate task: the hook's own task may be cancelled, and sleeping in it would end at once.
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
