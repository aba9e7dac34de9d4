// Identifies a file of a destination, so that it is recognised under another name.

/// The identity of a file: enough to recognise a part after it became the target. Only its destination knows what the
/// numbers mean; everybody else compares identities, and reads ``size`` and ``modified``.
public struct FileIdentity: Sendable, Equatable, Codable {
  /// The number of the place that keeps it; on a disk, that of the device.
  public var device: UInt64
  /// The number of the file; on a disk, that of the inode.
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

  /// The nanoseconds since 1970 of a file system's time. Times before 1677 and after 2262 do not fit and become the
  /// limit.
  public static func nanoseconds(seconds: Int, fraction: Int) -> Int64 {
    Int64(seconds).saturatingProduct(1_000_000_000).saturatingSum(Int64(fraction))
  }

  /// The result of a comparison with a recorded file.
  public enum Recognition: Sendable, Equatable {
    /// The same file, unchanged.
    case same
    /// Possibly the same file: its number or time differs, as some file systems change them. Its bytes decide.
    case renumbered, retimed
    /// Another file, or a changed one.
    case other
  }

  /// Whether this, which is there now, is the file that was `recorded` under a name of the same directory.
  ///
  /// Device numbers may change at each boot. File numbers are reused, so they prove nothing without the time. sshfs,
  /// mergerfs and others change the number of a file at any time.
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
