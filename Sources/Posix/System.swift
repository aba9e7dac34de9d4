// System calls, each wrapped once: an interrupted call is repeated, an error becomes a SystemError.

internal import Glibc

/// Calls on descriptors. Child processes do not inherit descriptors that this opens.
public enum System {
  /// Repeats a call while it is interrupted (`EINTR`), and throws the `errno` of a negative result.
  @discardableResult
  static func retrying<I: SignedInteger>(_ name: String, _ call: () -> I) throws(SystemError) -> I {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(name, code) }
    }
  }

  /// Closes a descriptor once (`close(2)`). On Linux it is closed even after `EINTR`, and may already be another
  /// file's.
  public static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// Locks an open file (`flock(2)`), and waits for another process that holds a conflicting lock.
  /// - Parameter shared: Whether others may hold a shared lock at the same time.
  public static func lock(_ descriptor: Int32, shared: Bool = false) throws(SystemError) {
    try retrying("flock") { flock(descriptor, shared ? LOCK_SH : LOCK_EX) }
  }

  /// Locks an open file if no other process holds a conflicting lock (`flock(2)`).
  /// - Parameter shared: Whether others may hold a shared lock at the same time.
  /// - Returns: `false` if another process holds one.
  public static func tryLock(_ descriptor: Int32, shared: Bool = false) throws(SystemError) -> Bool {
    do {
      try retrying("flock") { flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Releases the lock (`flock(2)`) and closes the file. Closing alone could release the lock too late: a child that is
  /// being started shares the open file until its exec.
  public static func unlockAndClose(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether two stretches of memory have the same bytes.
  public static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
    memcmp(one, other, count) == 0
  }

  /// Reads a file from its start, at most `limit` bytes (`pread(2)`).
  public static func readFile(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(try node(descriptor).size)))
    var span = bytes.mutableSpan
    var memory = span.mutableBytes
    let done = try memory.withUnsafeMutableBytes { (buffer) throws(SystemError) in
      try read(descriptor, into: buffer, at: 0)
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }
}
