// Decides whether a part file belongs to another job store (P17). A copy of a state directory has the same jobs, and
// must not write to the original's part files.

/// The job store named in the label of a part file.
public struct PartOwner: Sendable, Equatable {
  /// The label of the store: the path of its state directory, or the name of a store that machines share.
  public var path: String
  /// The inode number of the database, which a copy does not share; `nil` in older labels.
  public var node: UInt64?

  /// Creates an owner.
  public init(path: String, node: UInt64?) { (self.path, self.node) = (path, node) }
}

/// The rule for the owner of a part file.
public enum PartOwnership {
  /// The present state directory at the path in a label.
  public enum Presence: Sendable, Equatable {
    /// There is no job store.
    case gone
    /// The directory is this store's own, by any path.
    case own
    /// The directory has another store's database, with this inode number; `nil` if that cannot be read.
    case another(UInt64?)
  }

  /// Whether a label names a store that machines share, which is not a directory on this machine.
  public static func isShared(_ label: String) -> Bool { !label.hasPrefix("/") && label.contains(":") }

  /// Whether a store's runners are kept apart by the store alone, not by locks of part files. On shared storage, the
  /// lock of a machine that died or was cut off lasts for minutes (NFSv4) or until that machine is back (NFSv3), so no
  /// other machine could continue its files.
  public static func isFenced(by store: String?) -> Bool { store.map(isShared) ?? false }

  /// Whether the part file belongs to another store.
  /// - Parameters:
  ///   - owner: The owner in the label; `nil` without a label.
  ///   - own: The inode number of this store's database; `nil` if there is none.
  ///   - present: The state directory at the path in the label.
  public static func isAnothers(_ owner: PartOwner?, own: UInt64?, present: Presence) -> Bool {
    guard let owner else { return false }
    switch present {
    case .gone, .own: return false
    case .another(let node):
      // A state directory that was moved still owns the file, unless there is still a store at the labelled path.
      if let moved = owner.node, moved == own, node != nil, node != moved { return false }
      return true
    }
  }
}
