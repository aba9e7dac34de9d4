// Where files may go that somebody else than the user of this machine asks for.

/// Directories that files may go below.
///
/// A root is the user's choice and may lead through links. Below it no link is followed (P6): whoever names a directory there
/// cannot know where a link leads, or may even have put it there.
public struct AllowedDirectories: Sendable, Equatable {
  /// The roots: absolute paths without `.`, `..` and doubled slashes, in the order in which they were given.
  public let roots: [String]

  /// Makes it of absolute paths; others do not count.
  public init(_ roots: [String]) {
    self.roots = roots.compactMap { root in AllowedDirectories.components(root).map(AllowedDirectories.path) }
  }

  /// The place of a directory: below which root it is, and that nothing under that leads elsewhere.
  /// - Parameter foreignDepth: how many components at its end are not trusted anyhow.
  /// - Returns: nil for what is not allowed, or no absolute path.
  public func place(_ directory: String, foreignDepth: Int = 0) -> DirectoryPlace? {
    // Most jobs go there. A root is no deeper than itself.
    if roots.contains(directory) { return DirectoryPlace(directory, foreignDepth: foreignDepth) }
    guard let components = AllowedDirectories.components(directory) else { return nil }
    // The deepest root that it is below: that much of it is the user's word.
    let depths = roots.compactMap { root -> Int? in
      let own = AllowedDirectories.components(root) ?? []
      return components.starts(with: own) ? own.count : nil
    }
    guard let depth = depths.max() else { return nil }
    return DirectoryPlace(
      AllowedDirectories.path(components), foreignDepth: max(foreignDepth, components.count - depth))
  }

  /// Confines a job to these directories.
  /// - Returns: the same job, with its place as ``place(_:foreignDepth:)`` has it.
  /// - Throws: kind `usage` for a directory that is not allowed, and a name that is none.
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
