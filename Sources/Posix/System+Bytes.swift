// Reads and writes an open file, and makes it durable.

internal import Glibc

extension System {
  /// Reads bytes at a position into `buffer` (`pread(2)`).
  /// - Returns: Their number; less than `buffer.count` only at the end of the file.
  public static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = try retrying("read") {
        pread(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(position) + off_t(done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all of `bytes` to a file at a position (`pwrite(2)`).
  public static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int64
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retrying("write") {
        pwrite(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(position) + off_t(done))
      }
    }
  }

  /// Writes all of `bytes` to a file at `offset` (`pwrite(2)`).
  public static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) throws(SystemError) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try write(buffer, to: descriptor, at: offset)
    }
  }

  /// Reads the next bytes of a file, a pipe or a terminal by one call (`read(2)`).
  /// - Returns: Their number; 0 at the end.
  public static func readSome(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try retrying("read") { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Returns the next bytes of a file, a pipe or a terminal, at most `limit`; none at the end.
  public static func readSome(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try retrying("read") { Glibc.read(descriptor, &bytes, limit) }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Writes some of `bytes` to a file, a pipe or a terminal by one call (`write(2)`). Async-signal-safe.
  /// - Returns: The number of written bytes.
  public static func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) -> Int {
    try retrying("write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  /// Sends some of `bytes` to a socket without waiting (`send(2)`).
  /// - Returns: The number of sent bytes.
  public static func sendSome(_ bytes: UnsafeRawBufferPointer, to socket: Int32) throws(SystemError) -> Int {
    try retrying("send") { send(socket, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT)) }
  }

  /// Makes the content and the status of a file durable, or the names in a directory (`fsync(2)`).
  public static func sync(_ descriptor: Int32) throws(SystemError) { try retrying("fsync") { fsync(descriptor) } }

  /// Makes the content and the length of a file durable (`fdatasync(2)`).
  public static func syncData(_ descriptor: Int32) throws(SystemError) {
    try retrying("fdatasync") { fdatasync(descriptor) }
  }

  /// Sets the permissions of an open file (`fchmod(2)`).
  public static func setMode(_ descriptor: Int32, _ mode: UInt32) throws(SystemError) {
    try retrying("chmod") { fchmod(descriptor, mode_t(mode)) }
  }

  /// Sets the time of the last change of an open file, in seconds since 1970 (`futimens(2)`).
  public static func setModified(_ descriptor: Int32, _ seconds: Int64) throws(SystemError) {
    // UTIME_OMIT, a macro that Swift cannot import.
    let times = (timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), timespec(tv_sec: time_t(seconds), tv_nsec: 0))
    try retrying("utimensat") {
      withUnsafeBytes(of: times) { futimens(descriptor, $0.baseAddress?.assumingMemoryBound(to: timespec.self)) }
    }
  }

  /// Moves the position of an open file (`lseek(2)`). Bytes that are read and written at positions do not depend on it.
  public static func seek(_ descriptor: Int32, to position: Int64) throws(SystemError) {
    try retrying("lseek") { lseek(descriptor, off_t(position), SEEK_SET) }
  }

  /// Tells the system that a file is read from its start to its end (posix_fadvise(2)).
  public static func expectReading(_ descriptor: Int32) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }

  /// Drops the memory of a file's bytes, so that they are read from the disk (posix_fadvise(2)). Best effort.
  public static func forgetMemory(_ descriptor: Int32) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }
}
