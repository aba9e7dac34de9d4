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
  /// Whether looking up a name is a request to a server, which may never answer. In that case, callers look up many
  /// names at the same time, and stop waiting when their run is stopped.
  public var asksServer: Bool
  /// Whether targets are files of a file system, which programs may open and delete. In that case, the path of a target
  /// may also belong to a directory or a device.
  public var holdsFiles: Bool
  /// Whether the bytes of a part are in a file, so that other programs can copy, move, export and continue it.
  public var keepsPartFiles: Bool
  /// Whether the bytes of a unit that is not complete are lost when the connection breaks off.
  public var keepsWholePartsOnly: Bool
  /// Whether a part can be read before it is published, and so can be checked.
  public var readsParts: Bool
  /// Whether a part belongs to the name and the description of its target from its first byte on.
  public var bindsName: Bool
  /// Whether a target keeps its identity for as long as nothing replaces its bytes.
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
