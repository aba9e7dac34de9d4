// The directories in which the service stores files for its clients, as opposed to the user of this machine.

/// The directories below which files may be stored, and the places in object stores.
///
/// A root is chosen by the user, so the path to it may lead through links. Below a root, no link is followed (P6): a
/// client that names a directory there cannot know where a link leads, or may have created the link for that purpose.
package struct AllowedDirectories: Sendable, Equatable {
  /// The roots in the order in which they were given. Each is an absolute path without `.`, `..` and double slashes, or
  /// an ``ObjectPlace/path``.
  package let roots: [String]
  /// The access to the object stores among the roots; `nil` for the access in the environment.
  package var access: ObjectAccess?

  /// Creates the value from absolute paths. Paths that are not absolute are ignored.
  package init(_ roots: [String]) {
    self.roots = roots.compactMap { root in
      guard !ObjectPlace.isMeant(by: root) else { return (try? ObjectPlace(parsing: root))?.path }
      return AllowedDirectories.components(root).map(AllowedDirectories.path)
    }
  }

  /// Whether a root is in an object store.
  package var haveObjects: Bool { roots.contains { $0.hasPrefix(ObjectPlace.start) } }

  /// Returns the place of a directory. The components between the root and the directory may be links, so they are not
  /// trusted.
  /// - Parameter foreignDepth: How many components at the end of the path are not trusted, even if they belong to a
  ///   root.
  /// - Returns: `nil` if the path is not allowed or not absolute.
  package func place(_ directory: String, foreignDepth: Int = 0) -> DirectoryPlace? {
    // In the usual case, the directory itself is a root.
    if roots.contains(directory) {
      return DirectoryPlace(directory, foreignDepth: foreignDepth, access: access(directory))
    }
    if ObjectPlace.isMeant(by: directory) { return object(directory, foreignDepth) }
    guard let components = AllowedDirectories.components(directory) else { return nil }
    // The deepest root above the directory counts, because the user named that part of the path.
    let depths = roots.compactMap { root -> Int? in
      let own = AllowedDirectories.components(root) ?? []
      return components.starts(with: own) ? own.count : nil
    }
    guard let depth = depths.max() else { return nil }
    return DirectoryPlace(
      AllowedDirectories.path(components), foreignDepth: max(foreignDepth, components.count - depth))
  }

  /// Returns the place of a text that names an object store; `nil` if no root is above it.
  private func object(_ text: String, _ foreignDepth: Int) -> DirectoryPlace? {
    guard let place = try? ObjectPlace(parsing: text) else { return nil }
    let above = roots.compactMap { ObjectPlace($0) }.filter { place.isBelow($0) }
    func depth(_ place: ObjectPlace) -> Int { place.prefix.split(separator: "/").count }
    guard let known = above.map(depth).max() else { return nil }
    return DirectoryPlace(
      place.path, foreignDepth: max(foreignDepth, depth(place) - known), access: access(place.path))
  }

  private func access(_ path: String) -> ObjectAccess? { path.hasPrefix(ObjectPlace.start) ? access : nil }

  /// Confines a job to these directories.
  /// - Returns: The job with its place from ``place(_:foreignDepth:)``.
  /// - Throws: ``Failure`` of the kind `usage` for a directory that is not allowed, and for an invalid name.
  package func confine(_ specification: JobSpecification) throws(Failure) -> JobSpecification {
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
    if !place.traits.holdsFiles {
      if let output = specification.output, (try? ObjectPlace.checkKey(output)) == nil {
        throw Failure(
          .usage, TextSafety.escaped(output), "this is not the key of an object", advice: "choose another name",
          recovery: .keep)
      }
      // A client's objects are written with the keys of the root, which are the user's, and never with keys that a
      // client names.
      confined.objectOptions.access = place.access
      confined.objectOptions.hasOwnAccess = nil
    }
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
