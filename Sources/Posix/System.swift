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

  public static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    try retrying("open") { Glibc.open(path, flags | O_CLOEXEC, mode_t(mode)) }
  }

  /// Closes a descriptor once (`close(2)`). Not repeated after `EINTR`: Linux has then closed it, and the number may
  /// already be another file's.
  public static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// Locks or unlocks a file (`flock(2)`).
  /// - Returns: `false` if another process holds the lock and `operation` says not to wait.
  public static func lock(_ descriptor: Int32, _ operation: Int32) throws(SystemError) -> Bool {
    do {
      try retrying("flock") { flock(descriptor, operation) }
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

  /// Writes all of `bytes` (`pwrite(2)`).
  public static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retrying("write") {
        bytes.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset) + off_t(done))
        }
      }
    }
  }

  public static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
    memcmp(one, other, count) == 0
  }

  /// Reads a file from its start, at most `limit` bytes (`pread(2)`).
  public static func readFile(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(try node(descriptor).size)))
    var done = 0
    while done < bytes.count {
      let got = try retrying("read") {
        bytes.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
        }
      }
      if got == 0 { break }
      done += got
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }
}
