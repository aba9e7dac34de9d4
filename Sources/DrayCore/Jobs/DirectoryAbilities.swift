// What file systems can do.

/// What the file system of a directory can do, of what dray uses where it can.
public struct DirectoryAbilities: Sendable, Equatable {
  /// Bytes that may still be written; `nil` if it does not say.
  public var freeSpace: Int64?
  /// A file can have a second name.
  public var hasLinks: Bool
  /// A file can be renamed in such a way that no other is replaced (renameat2(2)).
  public var renamesExclusively: Bool
  /// Parts that were never written take no space.
  public var hasHoles: Bool
  /// All of it can be made durable at once.
  public var canBeSynced: Bool

  /// Makes them of what was found.
  public init(
    freeSpace: Int64?, hasLinks: Bool, renamesExclusively: Bool, hasHoles: Bool, canBeSynced: Bool
  ) {
    (self.freeSpace, self.hasLinks, self.renamesExclusively) = (freeSpace, hasLinks, renamesExclusively)
    (self.hasHoles, self.canBeSynced) = (hasHoles, canBeSynced)
  }
}
