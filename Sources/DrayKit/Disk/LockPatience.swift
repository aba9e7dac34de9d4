// Waits for the locks of other programs, but not for ever: the publisher must go on.

internal import Posix
internal import Threads

/// How long a group of files waits for the locks of other programs. The locks only avoid work that is done twice. The
/// result is right without them, because every name is made by one rename.
struct LockPatience: Sendable {
  private static let pause = 0.02

  private let end: Double

  /// - Parameter seconds: How long all files together wait.
  init(seconds: Double = 2) { end = SteadyClock.now() + seconds }

  /// Tries to lock until another program has released the lock. The call blocks the calling thread.
  /// - Returns: What `attempt` returns; `nil` if the other program keeps the lock for too long, or if locks do not work.
  @discardableResult
  func lock(_ attempt: () throws(SystemError) -> Int32?) -> Int32? {
    do throws(SystemError) {
      while true {
        if let held = try attempt() { return held }
        guard SteadyClock.now() < end else { return nil }
        System.pause(LockPatience.pause)
      }
    } catch {
      return nil
    }
  }
}
