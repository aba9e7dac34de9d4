/// The source that gave a job its URL, as the job remembers it.
///
/// With it the source can be asked again when the URL has expired, and readers of the queue see which files belong together.
package struct SourceReference: Sendable, Equatable {
  /// The name that was asked for, with its scheme: `hf:org/model@main`.
  package var name: String
  /// The name that gives the same version again, with the revision in place of a branch; `nil` if it is ``name``.
  package var pinned: String?
  /// The revision that the name meant when the job was added: a commit, a tag, the digest of a manifest. `nil` if the
  /// source has no revisions.
  package var revision: String?
  /// The path of the file in the source.
  package var path: String
  /// A readable name for a file that is named by its digest, such as its path in a repository, or `debian:12 layer
  /// 3/7`. `nil` if the file has a readable name itself.
  package var title: String?
  /// The links and index entries through which other programs find the published file; empty if they need none. Images
  /// and snapshots share files, so there may be several arrangements (``ArrangementRule``).
  package var arrangements: [SourceArrangement]

  /// Creates the reference of a file.
  package init(
    name: String, pinned: String? = nil, revision: String? = nil, path: String, arrangements: [SourceArrangement] = [],
    title: String? = nil
  ) {
    (self.name, self.pinned, self.revision) = (name, pinned == name ? nil : pinned, revision)
    (self.path, self.arrangements, self.title) = (path, arrangements, title)
  }

  /// The source's scheme.
  package var scheme: String { String(name.prefix { $0 != ":" }) }

  /// Whether the source's server redirects to other servers, and names the file itself (``LinkedFile``).
  package var namesLinkedFiles: Bool { scheme == "hf" }

  /// The name that says exactly which version the file is.
  package var exactName: String { pinned ?? name }

  /// Returns a name for people and for other programs: printable, and without secrets, because a name may contain a URL
  /// or a password that was typed as in one.
  package static func shown(_ name: String) -> String {
    TextSafety.escaped(URLRedaction.redactingURLs(in: URLRedaction.redactingPassword(inName: name)))
  }

  /// ``name`` without secrets.
  package var shownName: String { SourceReference.shown(name) }
  /// ``exactName`` without secrets.
  package var shownExactName: String { SourceReference.shown(exactName) }

  /// Whether two jobs are for the same file of a source, perhaps in different versions.
  package func isSameFile(as other: SourceReference) -> Bool { name == other.name && path == other.path }

  /// Returns what to do when the target exists (``SourceArrangement/policy(_:)``).
  package func policy(_ wanted: ConflictPolicy) -> ConflictPolicy {
    arrangements.reduce(wanted) { $1.policy($0) }
  }
}

extension SourceReference: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, pinned, revision, path, title, arrangement
  }

  /// Reads a reference. Jobs of earlier versions have a single arrangement in place of the list.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    pinned = try fields.decodeIfPresent(String.self, forKey: .pinned)
    revision = try fields.decodeIfPresent(String.self, forKey: .revision)
    path = try fields.decode(String.self, forKey: .path)
    title = try fields.decodeIfPresent(String.self, forKey: .title)
    do {
      arrangements = try fields.decodeIfPresent([SourceArrangement].self, forKey: .arrangement) ?? []
    } catch DecodingError.typeMismatch {
      arrangements = [try fields.decode(SourceArrangement.self, forKey: .arrangement)]
    }
  }

  /// Writes the reference.
  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encodeIfPresent(pinned, forKey: .pinned)
    try fields.encodeIfPresent(revision, forKey: .revision)
    try fields.encode(path, forKey: .path)
    try fields.encodeIfPresent(title, forKey: .title)
    if !arrangements.isEmpty { try fields.encode(arrangements, forKey: .arrangement) }
  }
}

/// A step after publishing a file, before its job is complete. It can be repeated.
public enum SourceArrangement: Sendable, Equatable, Codable {
  /// Makes relative symbolic links to the file.
  case links(LinkArrangement)
  /// Writes what names an image, once all its files are there.
  case image(ImageArrangement)

  /// Returns what to do when the target exists. Programs find such a file by its name alone, so another file with that
  /// name must not stay there unnoticed: it is replaced, or the job fails.
  package func policy(_ wanted: ConflictPolicy) -> ConflictPolicy { wanted == .overwrite ? .overwrite : .fail }

  /// Makes a relative symbolic link to the file.
  /// - Parameter path: The path of the link. It is relative to the directory that the user chose, like the path of the
  ///   file.
  package static func link(path: String) -> SourceArrangement { .links(LinkArrangement(paths: [path])) }

  /// The paths of all links.
  package var paths: [String] {
    switch self {
    case .links(let links): links.paths
    case .image: []
    }
  }
}

/// The links that make a file visible to another program, and what that program wants with them.
public struct LinkArrangement: Sendable, Equatable, Codable {
  /// A small file that says for which version the links stand.
  package struct Note: Sendable, Equatable, Codable {
    /// Relative to the same directory as the links.
    package var path: String
    /// The whole content.
    package var text: String
    /// When the source was asked, in seconds since 1970. A note that was written later stays.
    package var time: Double

    /// Creates a note.
    package init(path: String, text: String, time: Double) { (self.path, self.text, self.time) = (path, text, time) }
  }

  /// The paths of the links. They are relative to the directory that the user chose, like the path of the file.
  package var paths: [String]
  /// The number of directories between the directory that the user chose and the file; `nil` for all directories that
  /// the user did not name.
  package var depth: Int?
  /// The path of the file that the other program locks (flock) while it makes such links.
  package var lock: String?
  /// Written after the links.
  package var note: Note?

  /// Creates an arrangement.
  package init(paths: [String], depth: Int? = nil, lock: String? = nil, note: Note? = nil) {
    (self.paths, self.depth, self.lock, self.note) = (paths, depth, lock, note)
  }

  /// Returns the directory that the user chose.
  /// - Parameter place: The directory of the file.
  package func base(of place: DirectoryPlace) -> DirectoryPlace {
    var base = place.alone
    for _ in 0..<(depth ?? place.foreignDepth) { base = base.parent }
    return base
  }

  /// Returns the text of a link: the way from the link to the file.
  /// - Parameters:
  ///   - path: The path of the link.
  ///   - file: The path of the file, relative to the same directory.
  package static func text(from path: String, to file: String) -> String {
    var (from, to) = (path.split(separator: "/")[...], file.split(separator: "/")[...])
    while from.count > 1, to.count > 1, from.first == to.first { (from, to) = (from.dropFirst(), to.dropFirst()) }
    return ([Substring](repeating: "..", count: from.count - 1) + to).joined(separator: "/")
  }
}
