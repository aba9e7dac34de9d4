// A directory as the part of its path that the user named, and the part that came from elsewhere.

/// A directory by its absolute path, of which the last components may have been named by a document, a list or a server.
///
/// What the user named may lead through links. Below it no link is followed: neither a document nor a directory that
/// came with it may lead files elsewhere (P6).
public struct DirectoryPlace: Sendable, Hashable, Codable {
  /// The absolute path, without doubled slashes.
  public let path: String
  /// How many components at the end of ``path`` the user did not name.
  public let foreignDepth: Int

  /// Makes a place; by default the user named all of it.
  public init(_ path: String, foreignDepth: Int = 0) {
    (self.path, self.foreignDepth) = (path, max(0, foreignDepth))
  }

  /// The place that a relative path leads to: the user named `base`, another source the rest.
  public init(base: String, below path: some StringProtocol) { self = DirectoryPlace(base).appending(path) }

  /// Returns the place below this one that a relative path leads to. The user did not name the path.
  public func appending(_ below: some StringProtocol) -> DirectoryPlace {
    let names = below.split(separator: "/")
    return DirectoryPlace(
      names.reduce(path) { PathText.join($0, String($1)) }, foreignDepth: foreignDepth + names.count)
  }

  /// What the user named.
  public var base: String { foreign.isEmpty ? path : DirectoryPlace.join(components.dropLast(foreignDepth)) }

  /// The components that the user did not name, from the top down.
  public var foreign: [String] { foreignDepth == 0 ? [] : components.suffix(foreignDepth).map(String.init) }

  /// The directory above; that of the root is the root.
  public var parent: DirectoryPlace {
    DirectoryPlace(DirectoryPlace.join(components.dropLast()), foreignDepth: foreignDepth - 1)
  }

  private var components: [Substring] { path.split(separator: "/") }

  private static func join(_ components: some Sequence<Substring>) -> String {
    "/" + components.joined(separator: "/")
  }
}
