// The identity of a file at its destination, by which it is recognised even under another name.

/// The identity of a file: enough to recognise a part file after it was renamed to the target. Only the destination
/// knows what the numbers mean; all other code compares identities, and reads ``size`` and ``modified``.
public struct FileIdentity: Sendable, Equatable, Codable {
  /// The number of the storage that has the file; on a disk, of the device.
  public var device: UInt64
  /// The number of the file; on a disk, of the inode.
  public var inode: UInt64
  /// The length in bytes.
  public var size: Int64
  /// The time of the last change of the bytes, in nanoseconds since 1970.
  public var modified: Int64

  /// Creates an identity.
  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Returns a file system's time in nanoseconds since 1970. Times before 1677 and after 2262 do not fit and are
  /// clamped.
  package static func nanoseconds(seconds: Int, fraction: Int) -> Int64 {
    Int64(seconds).saturatingProduct(1_000_000_000).saturatingSum(Int64(fraction))
  }

  /// The result of comparing a present file with a recorded one.
  package enum Recognition: Sendable, Equatable {
    /// The same file, unchanged.
    case same
    /// Possibly the same file: its inode number or time differs, but some file systems change these. Only a comparison
    /// of the bytes shows it.
    case renumbered, retimed
    /// A different file, or a changed one.
    case other
  }

  /// Compares this present file with the `recorded` one, which was in the same directory.
  ///
  /// A device may have another number after each boot. Inode numbers are reused, so they prove nothing without the
  /// time. sshfs, mergerfs and others change a file's inode number at any time.
  package func recognition(of recorded: FileIdentity) -> Recognition {
    guard size == recorded.size else { return .other }
    switch (inode == recorded.inode, isOfSameTime(as: recorded)) {
    case (true, true): return .same
    case (false, true): return .renumbered
    case (true, false): return device == recorded.device ? .retimed : .other
    case (false, false): return .other
    }
  }

  /// Whether this present file is the `recorded` one, and unchanged.
  package func isUnchanged(since recorded: FileIdentity) -> Bool { recognition(of: recorded) == .same }

  /// Whether the times agree. Some file systems later truncate a time that they showed in full: to whole seconds (ext4
  /// with small inodes), or to even seconds (FAT).
  private func isOfSameTime(as recorded: FileIdentity) -> Bool {
    let second: Int64 = 1_000_000_000
    let difference = recorded.modified.subtractingReportingOverflow(modified)
    return difference.partialValue == 0
      || modified % second == 0 && !difference.overflow && (0..<2 * second).contains(difference.partialValue)
  }
}
