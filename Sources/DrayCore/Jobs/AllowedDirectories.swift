// The directories for files that clients request, and not this machine's user.

/// The directories below which files may be stored.
///
/// A root is the user's choice and may lead through links. Below it no link is followed (P6): a client that names a
/// directory there cannot know where a link leads, or may even have created it.
public struct AllowedDirectories: Sendable, Equatable {
  /// The roots, in the given order: absolute paths without `.`, `..` and double slashes.
  public let roots: [String]

  /// Creates the directories from absolute paths. Other paths are ignored.
  public init(_ roots: [String]) {
    self.roots = roots.compactMap { root in AllowedDirectories.components(root).map(AllowedDirectories.path) }
  }

  /// Returns the place of a directory. The part of its path below its root is not trusted to be free of links.
  /// - Parameter foreignDepth: The number of components at its end that are not trusted in any case.
  /// - Returns: `nil` if the path is not allowed or not absolute.
  public func place(_ directory: String, foreignDepth: Int = 0) -> DirectoryPlace? {
    // Most jobs use a root itself.
    if roots.contains(directory) { return DirectoryPlace(directory, foreignDepth: foreignDepth) }
    guard let components = AllowedDirectories.components(directory) else { return nil }
    // Find the deepest root above it: the user named that part of the path.
    let depths = roots.compactMap { root -> Int? in
      let own = AllowedDirectories.components(root) ?? []
      return components.starts(with: own) ? own.count : nil
    }
    guard let depth = depths.max() else { return nil }
    return DirectoryPlace(
      AllowedDirectories.path(components), foreignDepth: max(foreignDepth, components.count - depth))
  }

  /// Confines a job to these directories.
  /// - Returns: The job with its place from ``place(_:foreignDepth:)``.
  /// - Throws: ``Failure`` of the kind `usage` for a directory that is not allowed, and for an invalid name.
  public func confine(_ specification: JobSpecification) throws(Failure) -> JobSpecification {
    guard let place = place(specification.directory, foreignDepth: specification.foreignDepth) else {
      let all = roots.map { TextSafety.escaped($0) }.joined(separator: ", ")
      throw Failure(
        .usage, TextSafety.escaped(specification.directory), "this directory is not among those that are allowed",
        advice: "choose one below \(all)", recovery: .keep)
    }
    if let output = specification.output, !AllowedDirectories.isName(output) {
      throw Failure(
        .usage, TextSafety.escaped(output), "this is not a file name", advice: "name a file, without a directory",
        recovery: .keep)
    }
    var confined = specification
    (confined.directory, confined.foreignDepth) = (place.path, place.foreignDepth)
    return confined
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(0)
  }

  private static func components(_ path: String) -> [Substring]? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    let parts = path.split(separator: "/").filter { $0 != "." }
    return parts.contains("..") ? nil : parts
  }

  private static func path(_ components: [Substring]) -> String { "/" + components.joined(separator: "/") }
}
