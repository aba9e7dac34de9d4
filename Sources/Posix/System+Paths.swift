// Calls on paths and directories.

internal import CLinux
internal import Glibc

extension System {
  public enum Kind: Sendable, Equatable {
    case file, directory, other, missing
    case unreadable(SystemError)
  }

  public static func kind(_ path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? .missing : .unreadable(SystemError("stat")) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Returns the canonical path without links, `.` and `..`; `nil` if there is no such file.
  public static func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The directory for temporary files: `TMPDIR`, or `/tmp` (POSIX.1-2017 §8.3).
  public static var temporaryDirectory: String {
    guard let named = getenv("TMPDIR").map({ String(cString: $0) }), named.hasPrefix("/") else { return "/tmp" }
    return named
  }

  public static func isFile(_ path: String) -> Bool { kind(path) == .file }

  public static func node(_ path: String) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying("stat") { stat(path, &status) }
    return FileNode(status)
  }

  public static func node(_ descriptor: Int32) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying("fstat") { fstat(descriptor, &status) }
    return FileNode(status)
  }

  public static func ownership(of path: String) throws(SystemError) -> (owner: UInt32, mode: UInt32) {
    var status = stat()
    try retrying("stat") { stat(path, &status) }
    return (UInt32(status.st_uid), UInt32(status.st_mode))
  }

  /// Creates a file that must not exist, with exactly these permissions, under any umask.
  /// - Returns: The descriptor.
  public static func create(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    let descriptor = try open(path, [.both, .create, .exclusive], mode: mode)
    do {
      try retrying("fchmod") { fchmod(descriptor, mode_t(mode)) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes a file (`unlink(2)`).
  /// - Returns: Whether it was removed.
  @discardableResult public static func remove(_ path: String) -> Bool { Glibc.unlink(path) == 0 }

  /// Creates a directory that only its owner can use, under any umask.
  /// - Returns: `false` if the path already exists.
  public static func makeDirectory(_ path: String) throws(SystemError) -> Bool {
    do {
      try retrying("mkdir") { mkdir(path, 0o700) }
    } catch {
      if error.code == EEXIST { return false }
      throw error
    }
    try retrying("chmod") { chmod(path, 0o700) }
    return true
  }

  /// Creates a directory and its missing parents.
  /// - Parameter mode: The permissions of created directories, before the umask.
  public static func makeDirectories(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    var above = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      above += "/\(part)"
      guard mkdir(above, mode_t(mode)) != 0, kind(above) != .directory else { continue }
      throw SystemError("mkdir")
    }
  }

  /// Checks that the user may add entries to a directory.
  public static func checkWritable(_ path: String) throws(SystemError) {
    try retrying("access") { access(path, W_OK | X_OK) }
  }

  /// Makes the entries of a directory durable. Ignores file systems that cannot do that.
  public static func syncDirectory(_ path: String) {
    guard let descriptor = try? open(path, [.reading, .directory]) else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// Whether a path is on a remote file system (statfs(2)): NFS, SMB, CIFS, AFS, 9P, Ceph.
  public static func isRemote(_ path: String) -> Bool {
    let remote: Set<UInt32> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x5346_414F, 0x0102_1997, 0x00C3_6400]
    return fileSystemType(path).map(remote.contains) ?? false
  }

  /// Returns the kernel's number of the kind of file system of a path (statfs(2)); `nil` if it cannot be determined.
  public static func fileSystemType(_ path: String) -> UInt32? {
    #if DRAY_PORTABLE
    return nil
    #else
    var info = statfs()
    return statfs(path, &info) == 0 ? UInt32(truncatingIfNeeded: info.f_type) : nil
    #endif
  }

  /// Returns the kernel's number of the kind of file system of an open file (fstatfs(2)); `nil` if it cannot be
  /// determined.
  public static func fileSystemType(_ descriptor: Int32) -> UInt32? {
    #if DRAY_PORTABLE
    return nil
    #else
    var info = statfs()
    return fstatfs(descriptor, &info) == 0 ? UInt32(truncatingIfNeeded: info.f_type) : nil
    #endif
  }

  /// In bytes; `nil` if unknown.
  public static func freeSpace(_ path: String) -> Int64? {
    var status = statvfs()
    guard (try? retrying("statvfs") { statvfs(path, &status) }) != nil else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// Returns the free space in bytes on the file system of an open file, `nil` if unknown, and whether it is mounted
  /// read-only.
  public static func space(_ descriptor: Int32) throws(SystemError) -> (free: Int64?, isReadOnly: Bool) {
    var status = statvfs()
    try retrying("fstatvfs") { fstatvfs(descriptor, &status) }
    // File systems that count no blocks say nothing of their space.
    let (free, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    // ST_RDONLY, an enumerator that Swift does not import.
    return (status.f_blocks == 0 ? nil : overflows ? .max : Int64(clamping: free), status.f_flag & 1 != 0)
  }

  /// Locks an existing file until this process ends. Waits while another process holds the lock.
  /// - Parameter waiting: Called once if another process holds the lock.
  public static func hold(_ path: String, waiting: () -> Void) {
    // If the file cannot be opened, its next reader reports that. On file systems without locks there is no wait.
    guard let descriptor = try? open(path, [.reading, .nonBlocking]),
      (try? tryLock(descriptor)) == false
    else { return }
    waiting()
    try? lock(descriptor)
  }
}
