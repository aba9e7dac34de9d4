// A directory, with the knowledge which part of its path the user named; the rest may come from documents or servers.

/// The absolute path of a directory, or a place in an object store as an ``ObjectPlace/path``. The last components of
/// the path may come from a document, a list or a server.
///
/// The part that the user named may lead through links. Below that part, no link is followed (P6), because otherwise a
/// document could have its files stored elsewhere.
public struct DirectoryPlace: Sendable, Hashable, Codable {
  /// The absolute path, without double slashes; or `s3://BUCKET/PREFIX`.
  public let path: String
  /// The number of components at the end of ``path`` that the user did not name.
  public let foreignDepth: Int
  /// The absolute path of the directory for unfinished files, named by the user; `nil` if unfinished files are in this
  /// directory.
  public let parts: String?
  /// The server and the keys for a place in an object store; `nil` means those in the environment.
  public let access: ObjectAccess?

  /// Creates a place. By default, the user named the whole path.
  public init(_ path: String, foreignDepth: Int = 0, parts: String? = nil, access: ObjectAccess? = nil) {
    (self.path, self.foreignDepth, self.parts, self.access) = (path, max(0, foreignDepth), parts, access)
  }

  /// Creates a place from a relative path below `base`. The user named only `base`.
  public init(base: String, below path: some StringProtocol) { self = DirectoryPlace(base).appending(path) }

  /// Returns the place of a relative path below this place. The user did not name these components.
  public func appending(_ below: some StringProtocol) -> DirectoryPlace {
    let names = below.split(separator: "/")
    return DirectoryPlace(
      names.reduce(path) { PathText.join($0, String($1)) }, foreignDepth: foreignDepth + names.count, access: access)
  }

  /// The place in an object store; `nil` for a directory.
  public var object: ObjectPlace? { ObjectPlace(path) }

  /// The server of a place in an object store (``AWSSignature/server``); empty for directories.
  public var server: String { path.hasPrefix(ObjectPlace.start) ? access?.signature.server ?? "" : "" }

  /// The directory in which unfinished files are stored.
  public var partPlace: DirectoryPlace { parts.map { DirectoryPlace($0) } ?? self }

  /// This directory, without a separate directory for unfinished files.
  public var alone: DirectoryPlace { DirectoryPlace(path, foreignDepth: foreignDepth, access: access) }

  /// This place without the keys of an object store.
  public var withoutAccess: DirectoryPlace { DirectoryPlace(path, foreignDepth: foreignDepth, parts: parts) }

  /// The part of the path that the user named.
  public var base: String { foreign.isEmpty ? path : join(components.dropLast(foreignDepth)) }

  /// The components that the user did not name, from the top down.
  public var foreign: [String] { foreignDepth == 0 ? [] : components.suffix(foreignDepth).map(String.init) }

  /// The parent directory. A root or a bucket is its own parent.
  public var parent: DirectoryPlace {
    DirectoryPlace(join(components.dropLast()), foreignDepth: foreignDepth - 1, access: access)
  }

  /// The start of the path that is not a component: `/`, or `s3://` with the bucket.
  private var root: String {
    guard path.hasPrefix(ObjectPlace.start) else { return "/" }
    return ObjectPlace.start + path.dropFirst(ObjectPlace.start.count).prefix { $0 != "/" } + "/"
  }

  private var components: [Substring] { path.dropFirst(root.count).split(separator: "/") }

  private func join(_ components: some Sequence<Substring>) -> String {
    let below = components.joined(separator: "/")
    return below.isEmpty && root != "/" ? String(root.dropLast()) : root + below
  }
}
