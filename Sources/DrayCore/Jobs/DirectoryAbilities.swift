// What file systems can do.

/// What the file system of a directory can do.
public struct DirectoryAbilities: Sendable, Equatable {
  /// The free space in bytes; `nil` if unknown.
  public var freeSpace: Int64?
  /// Whether a file can have a second name (link(2)).
  public var hasLinks: Bool
  /// Whether a rename can refuse to replace a file (renameat2(2)).
  public var renamesExclusively: Bool
  /// Whether the parts of a file that were never written take no space.
  public var hasHoles: Bool
  /// Whether the whole file system can be synced at once.
  public var canBeSynced: Bool

  /// Creates abilities.
  public init(
    freeSpace: Int64?, hasLinks: Bool, renamesExclusively: Bool, hasHoles: Bool, canBeSynced: Bool
  ) {
    (self.freeSpace, self.hasLinks, self.renamesExclusively) = (freeSpace, hasLinks, renamesExclusively)
    (self.hasHoles, self.canBeSynced) = (hasHoles, canBeSynced)
  }
}
