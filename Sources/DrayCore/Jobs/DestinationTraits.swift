// The abilities of a destination with parts and targets, so that no other decision depends on its kind.

/// The traits of a destination. The traits follow from the place alone, without opening the destination.
///
/// | trait | directory | object store |
/// |---|---|---|
/// | ``asksServer`` | no | yes |
/// | ``holdsFiles`` | yes | no |
/// | ``keepsPartFiles`` | yes | no |
/// | ``keepsWholePartsOnly`` | no | yes |
/// | ``readsParts`` | yes | no |
/// | ``bindsName`` | no | yes |
/// | ``keepsIdentity`` | yes | no |
/// | ``needsAccess`` | no | yes |
public struct DestinationTraits: Sendable, Equatable {
  /// Whether each look at a name is a request to a server, which may never answer. Callers look at many names at once,
  /// and give up when their run is stopped.
  public var asksServer: Bool
  /// Whether targets are files of a file system, which programs may open and delete. Things that are no files may have
  /// a target's name.
  public var holdsFiles: Bool
  /// Whether the bytes of a part are in a file, which can be copied, moved, exported and continued by others.
  public var keepsPartFiles: Bool
  /// Whether a connection that ends loses the bytes of its unfinished unit.
  public var keepsWholePartsOnly: Bool
  /// Whether a part can be read, and so checked, before it is published.
  public var readsParts: Bool
  /// Whether a part belongs to the name and the description of its target from its first byte.
  public var bindsName: Bool
  /// Whether a target keeps its identity while nothing replaces its bytes.
  public var keepsIdentity: Bool
  /// Whether access needs keys.
  public var needsAccess: Bool

  /// The traits of directories.
  public static let ofDirectories = DestinationTraits(
    asksServer: false, holdsFiles: true, keepsPartFiles: true, keepsWholePartsOnly: false, readsParts: true,
    bindsName: false, keepsIdentity: true, needsAccess: false)

  /// The traits of places in object stores.
  public static let ofObjects = DestinationTraits(
    asksServer: true, holdsFiles: false, keepsPartFiles: false, keepsWholePartsOnly: true, readsParts: false,
    bindsName: true, keepsIdentity: false, needsAccess: true)
}

extension DirectoryPlace {
  /// The abilities of the destination at this place.
  public var traits: DestinationTraits { object == nil ? .ofDirectories : .ofObjects }
}
