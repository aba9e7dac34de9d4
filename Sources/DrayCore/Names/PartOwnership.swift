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
  /// What is at the path that a label names.
  public enum Presence: Sendable, Equatable {
    /// No job store.
    case gone
    /// The state directory of the store at hand, by whichever path.
    case own
    /// The database of another store, with its inode number; `nil` where that cannot be seen.
    case another(UInt64?)
  }

  /// Whether the part file is another store's.
  /// - Parameters:
  ///   - owner: what its label says; `nil` if it has none.
  ///   - own: the inode number of the database of the store at hand; `nil` if there is none.
  ///   - present: what is at the path that the label names.
  public static func isAnothers(_ owner: PartOwner?, own: UInt64?, present: Presence) -> Bool {
    guard let owner else { return false }
    switch present {
    case .gone, .own: return false
    case .another(let node):
      // A state directory that was moved is still the owner, unless what is at its old path is the store that the label means.
      if let moved = owner.node, moved == own, node != nil, node != moved { return false }
      return true
    }
  }
}
