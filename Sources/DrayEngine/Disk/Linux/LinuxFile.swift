// Linux calls on open files that POSIX lacks, without any decisions.

#if !DRAY_PORTABLE
internal import CLinux
internal import Glibc
internal import Posix

/// Calls on an open file.
enum LinuxFile {
  /// Writes all of `bytes` at a position, starts the write-back at once, and lets the kernel reuse the memory once the
  /// bytes are on disk (`pwritev2(2)` with RWF_DONTCACHE, Linux 6.14).
  /// - Returns: `false` if the kernel or the file system lacks this; nothing is written then.
  static func writeUncached(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int64
  ) throws(SystemError) -> Bool {
    var done = 0
    while done < bytes.count {
      var part = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress?.advanced(by: done)),
        iov_len: bytes.count - done)
      let count = pwritev2(descriptor, &part, 1, off_t(position) + off_t(done), Flag.dontCache)
      if count > 0 {
        done += count
      } else if count < 0, done == 0, errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS {
        return false
      } else if count < 0, errno != EINTR {
        throw SystemError("write")
      }
    }
    return true
  }

  /// Makes a file share the bytes of another one (ioctl_ficlone(2)).
  /// - Returns: Whether the file system can do that.
  static func share(_ source: Int32, with target: Int32) -> Bool { dray_clone(target, source) == 0 }

  /// Copies bytes to the same position of another file within the kernel (`copy_file_range(2)`).
  /// - Returns: The number of copied bytes; `nil` if the file systems lack this, or if the file ends there.
  static func copy(_ segment: Range<Int64>, of source: Int32, to target: Int32) throws(SystemError) -> Int64? {
    while true {
      var (from, to) = (off_t(segment.lowerBound), off_t(segment.lowerBound))
      let count = copy_file_range(
        source, &from, target, &to, Int(clamping: segment.upperBound - segment.lowerBound), 0)
      if count > 0 { return Int64(count) }
      if count == 0 || [EXDEV, ENOSYS, EOPNOTSUPP, EINVAL].contains(errno) { return nil }
      if errno != EINTR { throw SystemError("copy_file_range") }
    }
  }

  /// Reserves the disk blocks of a range without changing the length (`fallocate(2)`). Unlike posix_fallocate, it
  /// never writes zeros.
  static func reserve(_ range: Range<Int64>, of descriptor: Int32) throws(SystemError) {
    let length = off_t(range.upperBound - range.lowerBound)
    guard fallocate(descriptor, Flag.keepSize, off_t(range.lowerBound), length) == 0 else {
      throw SystemError("fallocate")
    }
  }

  /// Starts the write-back of a range, without waiting (`sync_file_range(2)`).
  static func startWriteBack(_ range: Range<Int64>, of descriptor: Int32) {
    let length = off_t(range.upperBound - range.lowerBound)
    _ = sync_file_range(descriptor, off_t(range.lowerBound), length, Flag.writeBack)
  }

  /// Waits for the write-back in progress, and fails if any write-back failed since the file was opened
  /// (`sync_file_range(2)`).
  static func awaitWriteBack(of descriptor: Int32) throws(SystemError) {
    guard sync_file_range(descriptor, 0, 0, Flag.waitBefore) == 0 || errno == ESPIPE else {
      throw SystemError("write")
    }
  }

  /// Returns the next bytes from a position on that are not a hole (`lseek(2)` with SEEK_DATA and SEEK_HOLE).
  /// - Returns: `nil` if there is only a hole. The end is `nil` if the file system does not report it.
  static func data(from position: Int64, of descriptor: Int32) throws(SystemError) -> (start: Int64, end: Int64?)? {
    let start = lseek(descriptor, off_t(position), Flag.data)
    if start < 0, errno == ENXIO { return nil }
    guard start >= 0 else { throw SystemError("lseek") }
    let end = lseek(descriptor, start, Flag.hole)
    return (Int64(start), end < 0 ? nil : Int64(end))
  }

  /// Makes a descriptor lead to the file of another one (`dup3(2)`).
  static func replace(_ descriptor: Int32, by other: Int32) throws(SystemError) {
    guard dup3(other, descriptor, O_CLOEXEC) >= 0 else { throw SystemError("dup3") }
  }

  // MARK: Extended attributes

  /// Returns an extended attribute of at most 4096 bytes (`fgetxattr(2)`); `nil` if there is none, or it is not UTF-8.
  static func attribute(_ name: String, of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fgetxattr(descriptor, name, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  /// Sets an extended attribute (`fsetxattr(2)`).
  static func setAttribute(_ name: String, _ value: String, of descriptor: Int32) throws(SystemError) {
    let bytes = Array(value.utf8)
    guard fsetxattr(descriptor, name, bytes, bytes.count, 0) == 0 else { throw SystemError("setxattr") }
  }

  /// Removes an extended attribute, if there is one (`fremovexattr(2)`).
  static func removeAttribute(_ name: String, of descriptor: Int32) { _ = fremovexattr(descriptor, name) }

  /// Macros that Swift cannot import, or that older headers lack.
  private enum Flag {
    /// `RWF_DONTCACHE`.
    static let dontCache: Int32 = 0x80
    /// `FALLOC_FL_KEEP_SIZE`.
    static let keepSize: Int32 = 1
    /// `SYNC_FILE_RANGE_WAIT_BEFORE` and `SYNC_FILE_RANGE_WRITE`.
    static let (waitBefore, writeBack): (UInt32, UInt32) = (1, 2)
    /// `SEEK_DATA` and `SEEK_HOLE`.
    static let (data, hole): (Int32, Int32) = (3, 4)
  }
}
#endif
