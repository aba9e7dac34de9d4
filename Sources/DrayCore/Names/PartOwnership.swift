// Whether a part file belongs to another job store: a pure decision (P17). A copy of a state directory has the same jobs, and
// must not write into the part files of the original.

/// The job store that the label of a part file names.
public struct PartOwner: Sendable, Equatable {
  /// The path of its state directory.
  public var path: String
  /// The inode number of its database, which a copy does not share; `nil` in labels of earlier versions.
  public var node: UInt64?

  /// Makes an owner.
  public init(path: String, node: UInt64?) { (self.path, self.node) = (path, node) }
}

/// The rule.
public enum PartOwnership {
  /// The state directory that a label names, as found now.
  public enum Presence: Sendable, Equatable {
    /// No job store.
    case gone
    /// The state directory of the store at hand, by whichever path.
    case own
    /// The database of another store, with its inode number; `nil` if it cannot be read.
    case another(UInt64?)
  }

  /// Whether the part file is another store's.
  /// - Parameters:
  ///   - owner: the owner in its label; `nil` without a label.
  ///   - own: the inode number of the database of the store at hand; `nil` if there is none.
  ///   - present: the state directory at the path in the label.
  public static func isAnothers(_ owner: PartOwner?, own: UInt64?, present: Presence) -> Bool {
    guard let owner else { return false }
    switch present {
    case .gone, .own: return false
    case .another(let node):
      // A moved state directory is still the owner, unless the labelled store is still at its old path.
      if let moved = owner.node, moved == own, node != nil, node != moved { return false }
      return true
    }
  }
}
