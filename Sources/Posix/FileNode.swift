// Which file a path or a descriptor leads to.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Identity, size and type of a file: enough to see whether a path still names an open one.
public struct FileNode: Sendable, Equatable {
  /// `st_dev`.
  public let device: UInt64
  /// `st_ino`.
  public let inode: UInt64
  /// Bytes.
  public let size: Int64
  /// Whether it is a regular file.
  public let isRegular: Bool

  /// The node that a `stat` call described.
  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both are the same file, whatever its size was.
  public func isSame(as other: FileNode) -> Bool { device == other.device && inode == other.inode }
}
