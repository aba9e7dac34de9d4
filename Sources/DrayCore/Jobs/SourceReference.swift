/// The source that gave a job its URL, as the job remembers it.
///
/// With it the source can be asked again when the URL has expired, and readers of the queue see which files belong together.
public struct SourceReference: Sendable, Equatable, Codable {
  /// The name that was asked for, with its scheme: `hf:org/model@main`.
  public var name: String
  /// The name that gives the same version again, with the revision in place of a branch; `nil` if it is ``name``.
  public var pinned: String?
  /// What the name stood for when the job was added: a commit, a tag, the digest of a manifest. `nil` if the source has
  /// no revisions.
  public var revision: String?
  /// The path of the file in the source.
  public var path: String
  /// What makes the published file visible to the program that the files are for; `nil` if its path alone does.
  public var arrangement: SourceArrangement?

  /// Creates the reference of a file.
  public init(
    name: String, pinned: String? = nil, revision: String? = nil, path: String, arrangement: SourceArrangement? = nil
  ) {
    (self.name, self.pinned, self.revision) = (name, pinned == name ? nil : pinned, revision)
    (self.path, self.arrangement) = (path, arrangement)
  }

  /// The name that says exactly which version the file is.
  public var exactName: String { pinned ?? name }

  /// Whether two jobs are for the same file of a source, perhaps in different versions.
  public func isSameFile(as other: SourceReference) -> Bool { name == other.name && path == other.path }
}

/// A step after publishing a file, before its job is complete. It can be repeated.
public enum SourceArrangement: Sendable, Equatable, Codable {
  /// Makes a relative symbolic link to the file.
  /// - Parameter path: The path of the link. It is relative to the directory that the user chose, like the path of the file.
  case link(path: String)
}
