internal import Dispatch
internal import Posix
internal import Synchronization

/// The turn of one writer among all programs on this machine that write to one store.
///
/// SQLite's own writers only poll while they wait, every tenth of a second. Among hundreds of programs, some would
/// never find the lock free. The kernel, however, hands a lock on at once, nearly in the order of requests
/// (`locks_insert_block`, Linux fs/locks.c). A writer therefore first locks the state directory, which needs no
/// additional file.
///
/// This lock makes the order fair; SQLite's own lock makes writing safe. If the directory cannot be locked (as on some
/// network file systems), or another process keeps it locked for long, the writer goes on without a turn.
struct StoreTurn {
  private let descriptor: Int32?

  /// Waits up to `seconds` for the turn. As long as other processes make progress, it waits longer.
  /// - Parameter progress: Returns a number that changes whenever another process has written.
  init(in directory: String, waiting seconds: Double, progress: () -> Int) {
    guard let descriptor = try? System.open(directory, [.reading, .directory]) else {
      self.descriptor = nil
      return
    }
    switch StoreTurn.lock(descriptor, waiting: seconds, progress) {
    case .held: self.descriptor = descriptor
    case .impossible:
      System.close(descriptor)
      self.descriptor = nil
    case .late:
      // The thread that still waits for the lock will close the descriptor.
      self.descriptor = nil
    }
  }

  /// Hands the turn on. Call this once.
  func end() {
    if let descriptor { System.unlockAndClose(descriptor) }
  }

  /// Whether this writer has the turn.
  var isHeld: Bool { descriptor != nil }

  // MARK: -

  private enum Outcome { case held, impossible, late }

  /// The state of one wait, shared by two threads.
  private final class Wait: Sendable {
    let outcome = Mutex<Outcome?>(nil)
    let isOver = DispatchSemaphore(value: 0)
  }

  private static func lock(_ descriptor: Int32, waiting seconds: Double, _ progress: () -> Int) -> Outcome {
    if let outcome = lock(descriptor, waits: false) { return outcome }
    // A wait in the kernel has no timeout, so a separate thread waits. If the time is up, this thread is left behind.
    let wait = Wait()
    var reached = progress()
    DispatchQueue(label: "dray.turn").async {
      let outcome = lock(descriptor, waits: true)
      let isLate = wait.outcome.withLock { known in
        if known == nil { known = outcome }
        return known == .late
      }
      if isLate { System.close(descriptor) }
      wait.isOver.signal()
    }
    while wait.isOver.wait(timeout: .now() + seconds) == .timedOut {
      let before = reached
      reached = progress()
      if reached == before { break }
    }
    return wait.outcome.withLock { known in
      let outcome = known ?? .late
      known = outcome
      return outcome
    }
  }

  /// Takes the lock; returns `nil` if another process has it.
  private static func lock(_ descriptor: Int32, waits: Bool) -> Outcome? {
    do throws(SystemError) {
      guard waits else { return try System.tryLock(descriptor) ? .held : nil }
      try System.lock(descriptor)
      return .held
    } catch {
      return .impossible
    }
  }
}
