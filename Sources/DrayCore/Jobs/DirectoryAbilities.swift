// The abilities of file systems.

/// The abilities of a directory's file system.
package struct DirectoryAbilities: Sendable, Equatable {
  /// The free space in bytes; `nil` if unknown.
  package var freeSpace: Int64?
  /// Whether a file can have a second name (link(2)).
  package var hasLinks: Bool
  /// Whether a rename can refuse to replace a file (renameat2(2)).
  package var renamesExclusively: Bool
  /// Whether the parts of a file that were never written take no space.
  package var hasHoles: Bool
  /// Whether the whole file system can be synced at once.
  package var canBeSynced: Bool

  /// Creates abilities.
  package init(
    freeSpace: Int64?, hasLinks: Bool, renamesExclusively: Bool, hasHoles: Bool, canBeSynced: Bool
  ) {
    (self.freeSpace, self.hasLinks, self.renamesExclusively) = (freeSpace, hasLinks, renamesExclusively)
    (self.hasHoles, self.canBeSynced) = (hasHoles, canBeSynced)
  }
}
