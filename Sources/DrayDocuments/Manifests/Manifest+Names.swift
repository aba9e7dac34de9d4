// The names of a manifest, such as `hf:ORG/MODEL`, whose files are found before anything is compared.

public import DrayCore

extension Manifest {
  /// A name whose files the directory must have.
  public struct Name: Sendable, Equatable {
    public var text: String
    /// The directory of the files, relative to the manifest's; empty for the manifest's own.
    public var directory: String
    /// Selects files by their paths in the source.
    public var filter: TreeFilter
  }

  private static let nameKeys = ["name", "dir", "include", "exclude"]

  static func names(_ root: TOMLNode, _ directory: String?) throws(DocumentError) -> [Name] {
    var names: [Name] = []
    for (index, node) in try root.tables("source").enumerated() {
      let place = "[[source]] number \(index + 1)"
      try node.allow(nameKeys, place)
      guard let text = try node.text("name", place), !text.isEmpty else {
        throw DocumentError(kind, "\(place) has no name")
      }
      let parts = [directory, try node.text("dir", place)].compactMap(\.self)
      let written = parts.reduce("") { $0.isEmpty ? $1 : PathText.join($0, $1) }
      guard written.isEmpty || DocumentPath.safe(written) == written else {
        throw DocumentError(
          kind, "the directory \(quote(written)) of \(place) must be a relative path below the manifest's directory")
      }
      names.append(
        Name(
          text: text, directory: written,
          filter: TreeFilter(
            includes: try patterns(node, "include", place), excludes: try patterns(node, "exclude", place))))
    }
    return names
  }

  private static func patterns(
    _ node: TOMLNode, _ key: String, _ place: String
  ) throws(DocumentError) -> [PathPattern] {
    try node.texts(key, place).map { (text) throws(DocumentError) in
      do throws(QuantityParseError) { return try PathPattern(text) } catch {
        throw DocumentError(kind, "\(quote(key)) of \(place): \(error.message)")
      }
    }
  }

  /// Returns the manifest with the files that a source found for one of its names.
  /// - Throws: ``DocumentError`` for a target that another file has, and if no file matches the filter.
  public func adding(_ answer: SourceAnswer, of name: Name) throws(DocumentError) -> Manifest {
    var manifest = self
    var targets = Set(files.map(\.target))
    for entry in answer.entries where name.filter.takes(entry.path.split(separator: "/").map(String.init)) {
      let path = entry.file.name ?? entry.path
      var file = File(
        target: name.directory.isEmpty ? path : PathText.join(name.directory, path), urls: entry.file.urls,
        digest: entry.file.digest, size: entry.file.size)
      file.headers = entry.file.headers
      file.source = SourceReference(
        name: name.text, pinned: answer.pinned.text, revision: answer.revision, path: entry.path,
        arrangements: [entry.arrangement].compactMap(\.self))
      guard targets.insert(file.target).inserted else {
        let shown = quote(SourceReference.shown(name.text))
        throw DocumentError(
          Manifest.kind, "a file of \(shown) has the same target as another, \(quote(file.target))")
      }
      manifest.files.append(file)
    }
    guard manifest.files.count > files.count else {
      throw DocumentError(Manifest.kind, "no file of \(quote(SourceReference.shown(name.text))) is wanted")
    }
    try Manifest.checkDirectories(manifest.files, targets)
    manifest.pins.append(SyncLock.Pin(name: name.text, exactName: answer.pinned.text, revision: answer.revision))
    return manifest
  }
}
