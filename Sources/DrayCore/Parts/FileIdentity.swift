// What identifies a file on a disk, so that it is recognised under another name.

/// Which file on which disk: enough to recognise a part file after its rename to the target.
public struct FileIdentity: Sendable, Equatable, Codable {
  /// The device number.
  public var device: UInt64
  /// The inode number.
  public var inode: UInt64
  /// The length in bytes.
  public var size: Int64
  /// The time of the last change of its bytes, in nanoseconds since 1970.
  public var modified: Int64

  /// Makes an identity.
  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Whether this, which is there now, is the file that was `recorded` under a name of the same directory.
  ///
  /// The number of a device may be another after each boot; then the time of the last change must be the same.
  public func isSameFile(as recorded: FileIdentity) -> Bool {
    inode == recorded.inode && size == recorded.size && (device == recorded.device || isOfSameTime(as: recorded))
  }

  /// Whether this, which is there now, is the file that was `recorded`, unchanged since.
  public func isUnchanged(since recorded: FileIdentity) -> Bool {
    isSameFile(as: recorded) && isOfSameTime(as: recorded)
  }

  /// Not all file systems keep the time as it was while they had the file in memory: some keep whole seconds only (ext4 with small
  /// inodes), FAT every other one.
  private func isOfSameTime(as recorded: FileIdentity) -> Bool {
    let second: Int64 = 1_000_000_000
    let difference = recorded.modified.subtractingReportingOverflow(modified)
    return difference.partialValue == 0
      || modified % second == 0 && !difference.overflow && (0..<2 * second).contains(difference.partialValue)
  }
}
