// The system's facts about a file.

internal import Glibc

/// The status of a file (`stat(2)`).
public struct FileStatus: Sendable {
  private let raw: stat

  init(_ raw: stat) { self.raw = raw }

  /// The device number.
  public var device: UInt64 { UInt64(raw.st_dev) }
  /// The inode number.
  public var inode: UInt64 { UInt64(raw.st_ino) }
  /// The length in bytes.
  public var size: Int64 { Int64(raw.st_size) }
  /// The space that it takes on disk, in bytes, including reserved blocks.
  public var allocated: Int64 {
    let (bytes, overflows) = max(0, Int64(raw.st_blocks)).multipliedReportingOverflow(by: 512)
    return overflows ? .max : bytes
  }
  /// The user id of the owner.
  public var owner: UInt32 { UInt32(raw.st_uid) }
  /// The permission bits, with set-user-id and the like.
  public var mode: UInt32 { UInt32(raw.st_mode) & 0o7777 }
  /// The number of names.
  public var links: UInt64 { UInt64(raw.st_nlink) }
  /// The time of the last change of the content: seconds since 1970, and nanoseconds.
  public var modified: (seconds: Int, nanoseconds: Int) { (Int(raw.st_mtim.tv_sec), Int(raw.st_mtim.tv_nsec)) }
  /// Whether it is a regular file.
  public var isRegular: Bool { raw.st_mode & S_IFMT == S_IFREG }
  /// Whether it is a directory.
  public var isDirectory: Bool { raw.st_mode & S_IFMT == S_IFDIR }
  /// Whether it is a symbolic link.
  public var isLink: Bool { raw.st_mode & S_IFMT == S_IFLNK }
  /// Whether it is a pipe.
  public var isPipe: Bool { raw.st_mode & S_IFMT == S_IFIFO }
  /// Whether it is a socket.
  public var isSocket: Bool { raw.st_mode & S_IFMT == S_IFSOCK }

  /// Whether both are the same file.
  public func isSame(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}

extension System {
  /// Returns the status of an open file (`fstat(2)`).
  public static func status(_ descriptor: Int32) throws(SystemError) -> FileStatus {
    var status = stat()
    try retrying("fstat") { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Returns the status of the file at a path (`stat(2)`, `lstat(2)`).
  /// - Parameter following: Whether links are followed.
  public static func status(at path: String, following: Bool = true) throws(SystemError) -> FileStatus {
    var status = stat()
    try retrying("stat") { following ? stat(path, &status) : lstat(path, &status) }
    return FileStatus(status)
  }

  /// Returns the status of a name in an open directory (`fstatat(2)`).
  /// - Parameter following: Whether links are followed.
  public static func status(
    _ name: String, in directory: Int32, following: Bool = false
  ) throws(SystemError) -> FileStatus {
    var status = stat()
    try retrying("stat") { fstatat(directory, name, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) }
    return FileStatus(status)
  }
}
