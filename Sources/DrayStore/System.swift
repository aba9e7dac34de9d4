// The system calls that the store makes itself, each wrapped once: EINTR is tried again, errno becomes a value.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a system call answered instead of a result.
struct SystemError: Error, Equatable {
  var code: Int32
  /// The system's words for it.
  var text: String { String(cString: strerror(code)) }

  static let noEntry = ENOENT
  static let noDirectory = ENOTDIR
  static let exists = EEXIST
}

/// Which file it is: enough to tell whether a path still names an open one.
struct FileNode: Equatable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  var isRegular: Bool

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  func isSame(as other: FileNode) -> Bool { device == other.device && inode == other.inode }
}

enum System {
  /// Calls until it is not interrupted; a negative result is thrown as its errno.
  @discardableResult
  private static func retrying<I: SignedInteger>(_ call: () -> I) throws(SystemError) -> I {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(code: code) }
    }
  }

  /// Opens `path`; the descriptor is not inherited by child processes.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
      try retrying { Darwin.open(path, flags | O_CLOEXEC, mode) }
    #else
      try retrying { Glibc.open(path, flags | O_CLOEXEC, mode) }
    #endif
  }

  static func close(_ descriptor: Int32) {
    // After EINTR the descriptor is gone on Linux: it must not be closed twice.
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Makes a file that must not be there yet, with exactly these permissions whatever the umask.
  static func create(_ path: String, mode: mode_t) throws(SystemError) -> Int32 {
    let descriptor = try open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    do {
      try retrying { fchmod(descriptor, mode) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  static func node(_ path: String) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying { stat(path, &status) }
    return FileNode(status)
  }

  static func node(_ descriptor: Int32) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying { fstat(descriptor, &status) }
    return FileNode(status)
  }

  /// `flock`: `false` where the lock is another's and `operation` says not to wait.
  static func lock(_ descriptor: Int32, _ operation: Int32) throws(SystemError) -> Bool {
    do {
      try retrying { flock(descriptor, operation) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }

  static func remove(_ path: String) { _ = unlink(path) }

  /// Makes one directory that only its owner can use, whatever the umask; `false` where something is there already.
  static func makeDirectory(_ path: String) throws(SystemError) -> Bool {
    do {
      try retrying { mkdir(path, 0o700) }
    } catch {
      if error.code == EEXIST { return false }
      throw error
    }
    try retrying { chmod(path, 0o700) }
    return true
  }

  static func checkWritable(_ path: String) throws(SystemError) {
    try retrying { access(path, W_OK | X_OK) }
  }

  /// Makes the names in a directory durable. File systems that cannot do that are left alone.
  static func syncDirectory(_ path: String) {
    guard let descriptor = try? open(path, O_RDONLY | O_DIRECTORY) else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// Writes all of `bytes` at `offset`.
  static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: off_t = 0) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retrying {
        bytes.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, offset + off_t(done))
        }
      }
    }
  }

  /// Reads from the start up to the end, `limit` bytes at the most.
  static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(try node(descriptor).size)))
    var done = 0
    while done < bytes.count {
      let got = try retrying {
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

  /// Bytes that may still be written to the file system of `path`.
  static func freeSpace(_ path: String) -> Int64? {
    var status = statvfs()
    guard (try? retrying { statvfs(path, &status) }) != nil else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// The home directory that the password database has for the user of this process.
  static func passwordDatabaseHome() -> String? {
    var size = 1 << 12
    while size <= 1 << 20 {
      var buffer = [CChar](repeating: 0, count: size)
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found)
      if code == ERANGE {
        size *= 4
        continue
      }
      guard code == 0, found != nil, let home = entry.pw_dir else { return nil }
      return String(cString: home)
    }
    return nil
  }

  static var userID: UInt32 { getuid() }

  static var effectiveUserID: UInt32 { geteuid() }

  /// The owner and the permission bits of what is at a path.
  static func ownership(of path: String) throws(SystemError) -> (owner: UInt32, mode: UInt32) {
    var status = stat()
    try retrying { stat(path, &status) }
    return (UInt32(status.st_uid), UInt32(status.st_mode))
  }

  static var currentDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The names in a directory; none where it cannot be read.
  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
