// The options that only sources use.

public import DrayDocuments

/// What the user wants of a name that stands for several things.
public struct SourceChoices: Sendable, Hashable {
  /// The platform of an image; `nil` for this machine's.
  public var platform: ImagePlatform?

  /// Creates choices; `nil` is the default of each.
  public init(platform: ImagePlatform? = nil) { self.platform = platform }
}
