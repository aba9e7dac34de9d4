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

  /// The nanoseconds since 1970 of a time as a file system has it. Times before 1677 and after 2262 do not fit: they are the
  /// first and the last that do.
  public static func nanoseconds(seconds: Int, fraction: Int) -> Int64 {
    Int64(seconds).saturatingProduct(1_000_000_000).saturatingSum(Int64(fraction))
  }

  /// What a comparison with a recorded file shows.
  public enum Recognition: Sendable, Equatable {
    /// It is that file, unchanged since.
    case same
    /// It may be: number or time of the file are others, as some file systems change them by themselves. Its bytes decide.
    case renumbered, retimed
    /// It is another file, or was changed.
    case other
  }

  /// Whether this, which is there now, is the file that was `recorded` under a name of the same directory.
  ///
  /// The number of a device may be another after each boot. The number of a file is used again by another one, so it proves
  /// nothing without the time; sshfs, mergerfs and others give a file another number whenever they like.
  public func recognition(of recorded: FileIdentity) -> Recognition {
    guard size == recorded.size else { return .other }
    switch (inode == recorded.inode, isOfSameTime(as: recorded)) {
    case (true, true): return .same
    case (false, true): return .renumbered
    case (true, false): return device == recorded.device ? .retimed : .other
    case (false, false): return .other
    }
  }

  /// Whether this, which is there now, is the file that was `recorded`, unchanged since.
  public func isUnchanged(since recorded: FileIdentity) -> Bool { recognition(of: recorded) == .same }

  /// Not all file systems keep the time as it was while they had the file in memory: some keep whole seconds only (ext4 with small
  /// inodes), FAT every other one.
  private func isOfSameTime(as recorded: FileIdentity) -> Bool {
    let second: Int64 = 1_000_000_000
    let difference = recorded.modified.subtractingReportingOverflow(modified)
    return difference.partialValue == 0
      || modified % second == 0 && !difference.overflow && (0..<2 * second).contains(difference.partialValue)
  }
}
