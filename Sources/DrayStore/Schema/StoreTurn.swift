// The order of those who want to write to one store.

import Dispatch
import Posix
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The turn of one writer, among all programs of this machine.
///
/// SQLite makes those who wait for the write lock poll every tenth of a second: of hundreds of programs some never meet the
/// moment in which it is free, and it lies idle in between. The kernel hands a lock on at once, as good as in the order of the
/// asking (`locks_insert_block`, Linux fs/locks.c): here that of the state directory itself, which needs no other file.
///
/// It is manners and not safety: that two do not write at once is SQLite's own lock. Where the directory cannot be locked (some
/// file systems of networks), or another process has locked it for long, the caller continues without a turn.
struct StoreTurn {
  private let descriptor: Int32?

  /// Waits for the turn: for `seconds`, and again as long as the line moves on.
  /// - Parameter progress: a number that changes whenever another process has written.
  init(in directory: String, waiting seconds: Double, progress: () -> Int) {
    guard let descriptor = try? System.open(directory, O_RDONLY | O_DIRECTORY) else {
      self.descriptor = nil
      return
    }
    switch StoreTurn.lock(descriptor, waiting: seconds, progress) {
    case .held: self.descriptor = descriptor
    case .impossible:
      System.close(descriptor)
      self.descriptor = nil
    case .late:
      // The one that still waits for it closes it.
      self.descriptor = nil
    }
  }

  /// Hands it on. To be called once.
  func end() {
    if let descriptor { System.unlockAndClose(descriptor) }
  }

  /// Whether it came, and is held.
  var isHeld: Bool { descriptor != nil }

  // MARK: -

  private enum Outcome { case held, impossible, late }

  /// What two threads know of one wait.
  private final class Wait: Sendable {
    let outcome = Mutex<Outcome?>(nil)
    let isOver = DispatchSemaphore(value: 0)
  }

  private static func lock(_ descriptor: Int32, waiting seconds: Double, _ progress: () -> Int) -> Outcome {
    if let outcome = lock(descriptor, LOCK_EX | LOCK_NB) { return outcome }
    // A wait in the kernel has no end of its own: a thread takes it over, and is left behind when the time is up.
    let wait = Wait()
    var reached = progress()
    DispatchQueue(label: "dray.turn").async {
      let outcome = lock(descriptor, LOCK_EX)
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

  /// `nil` if it is another's.
  private static func lock(_ descriptor: Int32, _ operation: Int32) -> Outcome? {
    do throws(SystemError) {
      return try System.lock(descriptor, operation) ? .held : nil
    } catch {
      return .impossible
    }
  }
}
