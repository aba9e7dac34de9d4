// Makes a whole file system durable at once, if that is reliable on it.

public import Posix

public struct FileSystem: Sendable, Hashable {
  private let device: UInt64
  /// Whether ``TargetDirectory/syncFileSystem()`` makes files as durable as syncing each file.
  public let canBeSynced: Bool
  /// Whether files keep the owner and the mode with which they were created. On some file systems, the mount or a
  /// server sets owner and mode.
  public let keepsOwners: Bool
  /// Whether this is a native Linux file system, where files keep their inode numbers and times, and every name is
  /// accepted.
  public var isNative: Bool { keepsOwners }
  /// Whether `renameat2` is known to respect `RENAME_NOREPLACE` on this file system, or is never called.
  let renamesExclusively: Bool
  var volume: Volume { Volume(id: device, canBeSynced: canBeSynced, keepsIdentities: isNative) }

  init(device: UInt64, kind: Int) {
    self.device = device
    canBeSynced = FileSystem.trusted.contains(kind) && FileSystem.reportsErrors
    keepsOwners = FileSystem.trusted.contains(kind) || FileSystem.local.contains(kind)
    renamesExclusively = keepsOwners || !LinuxDirectory.hasRenameFlags
  }

  init(of descriptor: Int32, device: UInt64) {
    self.init(device: device, kind: System.fileSystemType(descriptor).map { Int($0) } ?? 0)
  }

  /// The kinds of file systems (statfs(2)) whose `syncfs` waits for data and metadata and flushes the disk's cache:
  /// ext2 to ext4, XFS, Btrfs, F2FS, tmpfs. On other kinds, such as network file systems, `syncfs` may do less than
  /// `fsync`.
  private static let trusted: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994]

  /// Other kinds of file systems that have Linux owners, modes and exclusive renames: overlayfs, ZFS, bcachefs.
  private static let local: Set<Int> = [0x794C_7630, 0x2FC1_2FC1, 0xCA45_1A4E]

  /// Whether `syncfs` reports failed write-backs, which it does since Linux 5.8 (syncfs(2)).
  private static let reportsErrors = System.kernelRelease.map(isSince58) ?? false

  static func isSince58(_ release: String) -> Bool {
    let numbers = release.split(separator: ".", maxSplits: 2).prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
    guard numbers.count == 2 else { return false }
    return (numbers[0], numbers[1]) >= (5, 8)
  }
}

extension TargetDirectory {
  /// Throws if bytes of any file could not be written since the directory was opened.
  public func syncFileSystem() throws(SystemError) {
    try LinuxDirectory.syncFileSystem(descriptor)
  }
}

extension PartFile {
  /// Waits for the write-back in progress; fails if any write-back failed since the file was opened. This check is
  /// needed because syncing the file system may report such a failure to another open file. After the first failure,
  /// this always fails, like ``sync()``.
  public func checkWriteBack() throws(SystemError) {
    try keepingFirstError { () throws(SystemError) in
      try LinuxFile.awaitWriteBack(of: descriptor)
    }
  }
}
