// Calls on paths and directories.

#if canImport(Glibc)
  internal import CLinux
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Creates an in-memory file that lives until its last descriptor is closed (`memfd_create(2)`). Children do not
  /// inherit it.
  public static func memoryFile(_ name: String) throws(SystemError) -> Int32 {
    #if canImport(Glibc)
      // MFD_CLOEXEC
      let descriptor = memfd_create(name, 1)
      guard descriptor >= 0 else { throw SystemError("memfd_create") }
      return descriptor
    #else
      throw SystemError("memfd_create")
    #endif
  }

  /// What is at a path, links followed.
  public enum Kind: Sendable, Equatable {
    case file, directory, other, missing
    case unreadable(SystemError)
  }

  /// What is at a path, links followed.
  public static func kind(_ path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? .missing : .unreadable(SystemError("stat")) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// The one path without links, `.` and `..` of what is at a path; nil for what is not there.
  public static func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The directory for files that nobody needs later: `TMPDIR`, or `/tmp` (POSIX.1-2017 §8.3).
  public static var temporaryDirectory: String {
    guard let named = getenv("TMPDIR").map({ String(cString: $0) }), named.hasPrefix("/") else { return "/tmp" }
    return named
  }

  /// Whether a path leads to a regular file.
  public static func isFile(_ path: String) -> Bool { kind(path) == .file }

  /// The file that a path leads to, links followed.
  public static func node(_ path: String) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying("stat") { stat(path, &status) }
    return FileNode(status)
  }

  /// The file of an open descriptor.
  public static func node(_ descriptor: Int32) throws(SystemError) -> FileNode {
    var status = stat()
    try retrying("fstat") { fstat(descriptor, &status) }
    return FileNode(status)
  }

  /// The owner and the permission bits of what is at a path.
  public static func ownership(of path: String) throws(SystemError) -> (owner: UInt32, mode: UInt32) {
    var status = stat()
    try retrying("stat") { stat(path, &status) }
    return (UInt32(status.st_uid), UInt32(status.st_mode))
  }

  /// Creates a file that must not exist yet, with exactly these permissions whatever the umask.
  /// - Returns: its descriptor.
  public static func create(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    let descriptor = try open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    do {
      try retrying("fchmod") { fchmod(descriptor, mode_t(mode)) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Removes a file; one that cannot be removed stays.
  public static func remove(_ path: String) { _ = unlink(path) }

  /// Creates one directory that only its owner can use, whatever the umask.
  /// - Returns: `false` if something exists already.
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

  /// Creates a directory and all above it that are missing.
  /// - Parameter mode: the permissions of those that are made, less the umask.
  public static func makeDirectories(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    var above = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      above += "/\(part)"
      guard mkdir(above, mode_t(mode)) != 0, kind(above) != .directory else { continue }
      throw SystemError("mkdir")
    }
  }

  /// Checks that names can be added to a directory.
  public static func checkWritable(_ path: String) throws(SystemError) {
    try retrying("access") { access(path, W_OK | X_OK) }
  }

  /// Makes the names in a directory durable. File systems that cannot do that are left alone.
  public static func syncDirectory(_ path: String) {
    guard let descriptor = try? open(path, O_RDONLY | O_DIRECTORY) else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// The names in a directory; none where it cannot be read.
  public static func names(in directory: String) -> [String] {
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

  /// Whether a path is on a file system of another machine (statfs(2)): NFS, SMB, CIFS, AFS, 9P, Ceph.
  public static func isRemote(_ path: String) -> Bool {
    #if canImport(Glibc)
      let remote: Set<UInt32> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x5346_414F, 0x0102_1997, 0x00C3_6400]
      var info = statfs()
      return statfs(path, &info) == 0 && remote.contains(UInt32(truncatingIfNeeded: info.f_type))
    #else
      return false
    #endif
  }

  /// Bytes that may still be written to the file system of `path`.
  public static func freeSpace(_ path: String) -> Int64? {
    var status = statvfs()
    guard (try? retrying("statvfs") { statvfs(path, &status) }) != nil else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// Locks an existing file for this process until it ends; waits while another holds the lock.
  /// - Parameter waiting: called once if another holds it now.
  public static func hold(_ path: String, waiting: () -> Void) {
    // The next reader reports that it cannot be opened. On file systems without locks there is no wait.
    guard let descriptor = try? open(path, O_RDONLY | O_NONBLOCK),
      (try? lock(descriptor, LOCK_EX | LOCK_NB)) == false
    else { return }
    waiting()
    _ = try? lock(descriptor, LOCK_EX)
  }
}
