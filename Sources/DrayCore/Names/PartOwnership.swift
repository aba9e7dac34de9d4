// Decides whether a part file belongs to another job store (P17). If a state directory was copied, the copy has the
// same jobs, but must not write to the part files of the original.

/// The job store to which a part file belongs, according to its label.
package struct PartOwner: Sendable, Equatable {
  /// The name of the store in the label: the path of its state directory, or the name of a store that machines share.
  package var path: String
  /// The inode number of the database, which differs in a copy; `nil` in older labels.
  package var node: UInt64?

  /// Creates an owner.
  package init(path: String, node: UInt64?) { (self.path, self.node) = (path, node) }
}

/// The rule for the owner of a part file.
package enum PartOwnership {
  /// The kind of store at the path that a label names.
  package enum Presence: Sendable, Equatable {
    /// No job store.
    case gone
    /// This store's own directory, even if the path is spelled differently.
    case own
    /// The database of another store, with this inode number; `nil` if the number cannot be read.
    case another(UInt64?)
  }

  /// Whether a label names a store that machines share, which is not a directory on this machine.
  package static func isShared(_ label: String) -> Bool { !label.hasPrefix("/") && label.contains(":") }

  /// Whether runners are kept apart only by the store, not by the locks of part files. On shared storage, the lock of a
  /// machine that died or was cut off lasts for minutes (NFSv4), or until that machine is back (NFSv3). Until then, no
  /// other machine could continue its files.
  package static func isFenced(by store: String?) -> Bool { store.map(isShared) ?? false }

  /// Whether a part file belongs to another store.
  /// - Parameters:
  ///   - owner: The owner in the label; `nil` if there is no label.
  ///   - own: The inode number of this store's database; `nil` if there is none.
  ///   - present: The kind of store at the path in the label.
  package static func isAnothers(_ owner: PartOwner?, own: UInt64?, present: Presence) -> Bool {
    guard let owner else { return false }
    switch present {
    case .gone, .own: return false
    case .another(let node):
      // A state directory that was moved still owns its part files, unless another store is now at the old path.
      if let moved = owner.node, moved == own, node != nil, node != moved { return false }
      return true
    }
  }
}
