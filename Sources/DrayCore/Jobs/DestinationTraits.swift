// The abilities of a destination, so that decisions elsewhere need not ask what kind of destination it is.

/// What a destination can do with parts and targets. The traits follow from the place alone, without opening the
/// destination.
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
  /// Whether looking up a name is a request to a server, which may never answer. In that case callers look up many
  /// names at once, and give up when their run is stopped.
  public var asksServer: Bool
  /// Whether targets are files of a file system, which programs may open and delete. Then a directory or a device may
  /// stand at a target's path.
  public var holdsFiles: Bool
  /// Whether the bytes of a part are in a file, which can be copied, moved, exported and continued by others.
  public var keepsPartFiles: Bool
  /// Whether a connection that breaks off loses the bytes of the unit that it has not completed.
  public var keepsWholePartsOnly: Bool
  /// Whether a part can be read before it is published, and so can be checked.
  public var readsParts: Bool
  /// Whether a part is tied to its target's name and description from its first byte.
  public var bindsName: Bool
  /// Whether a target keeps its identity while nothing replaces its bytes.
  public var keepsIdentity: Bool
  /// Whether the destination can only be used with keys.
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
