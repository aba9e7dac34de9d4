// The names of a manifest, such as `hf:ORG/MODEL`, whose files are found before anything is compared.

package import DrayCore

extension Manifest {
  /// A name whose files the directory must have.
  package struct Name: Sendable, Equatable {
    package var text: String
    /// The directory of the files, relative to the manifest's; empty for the manifest's own.
    package var directory: String
    /// Selects files by their paths in the source.
    package var filter: TreeFilter
    /// Whether the directory is a cache of the official client of Hugging Face.
    package var isHubCache = false
    /// The platform of an image; `nil` for this machine's.
    package var platform: ImagePlatform?
  }

  /// A cache of the official client of Hugging Face, with the references and lists that it contains besides the files.
  package struct Cache: Sendable, Equatable {
    /// Relative to the manifest's directory; empty for that directory itself.
    package var directory: String
    package var cache: HubCache

    package init(_ cache: HubCache, in directory: String) { (self.cache, self.directory) = (cache, directory) }
  }

  private static let nameKeys = ["name", "dir", "include", "exclude", "hf-cache", "platform"]

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
      var name = Name(
        text: text, directory: written,
        filter: TreeFilter(
          includes: try patterns(node, "include", place), excludes: try patterns(node, "exclude", place)))
      name.isHubCache = try node.flag("hf-cache", place)
      if let platform = try node.text("platform", place) {
        guard let parsed = ImagePlatform(platform) else {
          throw DocumentError(kind, "\(quote(platform)) of \(place) is not a platform: write it as linux/arm64")
        }
        name.platform = parsed
      }
      // A lock has one version of a name.
      guard !names.contains(where: { $0.text == text && $0.platform != name.platform }) else {
        throw DocumentError(kind, "\(place) has the name of another one, but another platform")
      }
      names.append(name)
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

  /// Returns the files of an answer that a name wants.
  /// - Throws: ``DocumentError`` if no file matches the filter.
  package static func wanted(_ answer: SourceAnswer, of name: Name) throws(DocumentError) -> SourceAnswer {
    var wanted = answer
    wanted.entries = answer.entries.filter { name.filter.takes($0.path.split(separator: "/").map(String.init)) }
    guard !wanted.entries.isEmpty else {
      throw DocumentError(kind, "no file of \(quote(SourceReference.shown(name.text))) is wanted")
    }
    return wanted
  }

  /// Returns the manifest with files that a source found for one of its names. Images may share files, each of which is
  /// one file with several arrangements.
  /// - Throws: ``DocumentError`` for a target that another file has, and if no file matches the filter.
  package func adding(_ answer: SourceAnswer, of name: Name) throws(DocumentError) -> Manifest {
    let answer = try Manifest.wanted(answer, of: name)
    var manifest = self
    var targets = Set(files.map(\.target))
    for entry in answer.entries {
      let path = entry.file.name ?? entry.path
      var file = File(
        target: name.directory.isEmpty ? path : PathText.join(name.directory, path), urls: entry.file.urls,
        digest: entry.file.digest, size: entry.file.size)
      file.headers = entry.file.headers
      file.source = SourceReference(
        name: name.text, pinned: answer.pinned.text, revision: answer.revision, path: entry.path,
        arrangements: [entry.arrangement].compactMap(\.self), title: entry.title)
      guard targets.insert(file.target).inserted else {
        if try manifest.share(file) { continue }
        let shown = quote(SourceReference.shown(name.text))
        throw DocumentError(
          Manifest.kind, "a file of \(shown) has the same target as another, \(quote(file.target))")
      }
      manifest.files.append(file)
    }
    try Manifest.checkDirectories(manifest.files, targets)
    manifest.pins.append(SyncLock.Pin(name: name.text, exactName: answer.pinned.text, revision: answer.revision))
    return manifest
  }

  /// Adds the arrangements of a file to an earlier file with the same target and digest.
  /// - Returns: Whether there is such a file.
  private mutating func share(_ file: File) throws(DocumentError) -> Bool {
    guard file.isNamedByDigest, let index = files.firstIndex(where: { $0.target == file.target }),
      files[index].digest == file.digest, let own = files[index].source, !own.arrangements.isEmpty
    else { return false }
    guard let all = ArrangementRule.merged(file.source?.arrangements ?? [], into: own.arrangements) else {
      throw DocumentError(
        Manifest.kind, "more than \(ArrangementRule.most) images or snapshots share \(quote(file.target))")
    }
    files[index].source?.arrangements = all
    return true
  }
}
