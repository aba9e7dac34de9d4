// Notices when any process may have changed a store. Linux reports writes to the database's log (inotify(7)). Where it
// does not, the store is polled once a second.

internal import DrayCore
internal import Posix
internal import Synchronization

internal import struct FoundationEssentials.UUID

/// The observers of one store, and the thread that serves them as long as any exist.
final class ChangeMonitor: Sendable {
  private struct State {
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    var thread: MonitorThread?
  }

  private let state = Mutex(State())

  /// Adds a handler. The handler is called at once and after each change.
  /// - Parameter facts: Returns the facts to compare between polls; `nil` if the store is closed.
  /// - Returns: The number for ``remove(_:)``.
  func add(
    _ handler: @escaping @Sendable () -> Void, home: StateDirectory, facts: @escaping @Sendable () -> StoreFacts?
  ) -> Int {
    handler()
    return state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      if state.thread == nil {
        let thread = MonitorThread(home)
        state.thread = thread
        thread.start(facts) { [weak self] in self?.report() }
      }
      return state.lastNumber
    }
  }

  func remove(_ number: Int) {
    let idle = state.withLock { state in
      state.handlers[number] = nil
      guard state.handlers.isEmpty else { return nil as MonitorThread? }
      defer { state.thread = nil }
      return state.thread
    }
    idle?.stop()
  }

  private func report() {
    for handler in state.withLock({ Array($0.handlers.values) }) { handler() }
  }
}

/// The facts that two polls of a store compare.
struct StoreFacts: Equatable {
  var mark: ChangeMark?
  var runners: Set<UUID>
}

/// A thread that polls one store after each reported write, and at intervals.
private final class MonitorThread: Sendable {
  private let watch: DirectoryWatch?
  private let isStopped = Atomic<Bool>(false)

  /// The milliseconds between polls if no write is reported: on file systems that report all writes, and on other file
  /// systems.
  private static let (rareInterval, interval): (Int32, Int32) = (30_000, 1000)
  /// In milliseconds: the least time between two reports, and the first wait until a commit becomes visible after its
  /// write to the log.
  private static let (pause, commit): (Int32, Int32) = (100, 20)

  init(_ home: StateDirectory) { watch = DirectoryWatch(home) }

  func start(_ facts: @escaping @Sendable () -> StoreFacts?, _ report: @escaping @Sendable () -> Void) {
    // If the thread cannot be started, changes are not reported.
    try? System.startThread("dray.changes", stackSize: 1 << 19) { [self] in
      var known: StoreFacts?
      var wait: Int32 = 0
      let interval = watch == nil ? MonitorThread.interval : MonitorThread.rareInterval
      while !isStopped.load(ordering: .acquiring) {
        let isWritten = wait > 0 && self.wait(wait)
        guard !isStopped.load(ordering: .acquiring), let facts = facts() else { break }
        if facts != known {
          known = facts
          report()
          wait = interval
          // Combine changes in quick succession into one report.
          sleep(MonitorThread.pause)
        } else {
          // The log is written before the commit becomes visible, and a sync may come between the two.
          wait = isWritten ? MonitorThread.commit : min(wait * 2, interval)
          if isWritten { sleep(MonitorThread.commit) }
        }
      }
      watch?.close()
    }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    watch?.wake()
  }

  private func wait(_ milliseconds: Int32) -> Bool {
    if let watch { return watch.wait(milliseconds) }
    sleep(milliseconds)
    return false
  }

  private func sleep(_ milliseconds: Int32) { System.pause(Double(milliseconds) / 1000) }
}

/// Reports writes to a store's log, and runners that start, end or die. One thread uses the watch; any thread may wake
/// that thread.
private final class DirectoryWatch: Sendable {
  /// The inotify instance and its watches; `nil` once it is closed.
  private let open: Mutex<(changes: DirectoryChanges, home: Int32, runners: Int32)?>

  /// File systems to which only this machine writes (statfs(2)): ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS,
  /// bcachefs. To other file systems, another machine may write, and inotify does not report such writes.
  private static let local: Set<UInt32> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E,
  ]

  init?(_ home: StateDirectory) {
    guard System.fileSystemType(home.path).map(DirectoryWatch.local.contains) ?? false, let changes = DirectoryChanges()
    else { return nil }
    // A lease file is closed when its runner ends, no matter how.
    guard let directory = changes.watch(home.path, [.written, .created, .removed]),
      let runners = changes.watch(home.runnersPath, [.created, .removed, .closed])
    else {
      changes.close()
      return nil
    }
    open = Mutex((changes, directory, runners))
  }

  /// Waits for a write or the timeout.
  /// - Returns: Whether something was written.
  func wait(_ milliseconds: Int32) -> Bool {
    guard let (changes, home, _) = open.withLock(\.self) else { return false }
    var isWritten = false
    changes.wait(milliseconds) { watch, name in
      // In the state directory, only writes to the database and its log count.
      if watch != home || name.hasPrefix("dray.sqlite") { isWritten = true }
    }
    return isWritten
  }

  /// Wakes a waiting thread by removing a watch, because the removal is an event, too.
  func wake() { open.withLock { if let open = $0 { open.changes.end(open.runners) } } }

  func close() {
    open.withLock { open in
      open?.changes.close()
      open = nil
    }
  }
}
