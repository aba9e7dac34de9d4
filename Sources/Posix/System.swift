// System calls, each wrapped once: a call that was interrupted is repeated, an error becomes a SystemError.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls on descriptors. Descriptors that it opens are not inherited by child processes.
public enum System {
  /// Repeats a call while it is interrupted (`EINTR`); a negative result is thrown as its `errno`.
  @discardableResult
  static func retrying<I: SignedInteger>(_ name: String, _ call: () -> I) throws(SystemError) -> I {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(name, code) }
    }
  }

  /// `open(2)`.
  public static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
      try retrying("open") { Darwin.open(path, flags | O_CLOEXEC, mode_t(mode)) }
    #elseif canImport(Musl)
      try retrying("open") { Musl.open(path, flags | O_CLOEXEC, mode_t(mode)) }
    #else
      try retrying("open") { Glibc.open(path, flags | O_CLOEXEC, mode_t(mode)) }
    #endif
  }

  /// `close(2)`, once: after `EINTR` the descriptor is gone on Linux, and may be another file's already.
  public static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// `flock(2)`.
  /// - Returns: `false` if another holds the lock and `operation` says not to wait.
  public static func lock(_ descriptor: Int32, _ operation: Int32) throws(SystemError) -> Bool {
    do {
      try retrying("flock") { flock(descriptor, operation) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Releases the lock (`flock(2)`) and closes the file. A lock belongs to the open file, which a child that was started
  /// at this moment shares until its exec: closing alone would leave it held until then.
  public static func unlockAndClose(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes all of `bytes` to a file at `offset` (`pwrite(2)`).
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

  /// Reads a file from its start to its end, at most `limit` bytes (`pread(2)`).
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
