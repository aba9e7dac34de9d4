// The identity of the file behind a path or a descriptor.

internal import Glibc

/// The identity, size and type of a file: enough to see whether a path still leads to a file that is open.
public struct FileNode: Sendable, Equatable {
  /// `st_dev`.
  public let device: UInt64
  /// `st_ino`.
  public let inode: UInt64
  /// The length in bytes.
  public let size: Int64
  public let isRegular: Bool

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both are the same file, of any size.
  public func isSame(as other: FileNode) -> Bool { device == other.device && inode == other.inode }
}
