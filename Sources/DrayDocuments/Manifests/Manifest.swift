// Reads a manifest for `dray sync`: the files that a directory must have.

package import DrayCore

/// A list of files with their targets, as written by its author.
package struct Manifest: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    /// The path relative to the manifest's directory, with safe components.
    package var target: String
    /// The URLs, preferred first; never empty.
    package var urls: [RequestURL]
    package var digest: DigestValue?
    /// In bytes.
    package var size: Int64?
    package var headers: [HeaderField]
    package var userAgent: String?
    package var referer: String?
    /// The name that gave the file; `nil` if the manifest has its URL.
    package var source: SourceReference?

    package init(target: String, urls: [RequestURL], digest: DigestValue? = nil, size: Int64? = nil) {
      self.target = target
      self.urls = urls
      self.digest = digest
      self.size = size
      headers = []
    }

    /// Whether the file's name is its digest (``DrayCore/JobSpecification/isNamedByDigest``).
    var isNamedByDigest: Bool {
      guard let digest, let source, !source.arrangements.isEmpty else { return false }
      return target.lowercased().hasSuffix(digest.hex.lowercased())
    }

    /// The file without its target, in the form of other documents.
    package var offer: OfferedFile {
      var offer = OfferedFile(urls: urls, size: size, digest: digest, headers: headers)
      (offer.userAgent, offer.referer) = (userAgent, referer)
      return offer
    }
  }

  package var files: [File]
  /// The names whose files the manifest wants. Their files are in ``files`` after ``adding(_:of:)``.
  package var names: [Name] = []
  /// The caches in which files of names lie.
  package var caches: [Cache] = []
  /// The versions of the names whose files were added, for the lock.
  package var pins: [SyncLock.Pin] = []

  static let kind = "a manifest"
  static let fileKeys = ["url", "urls", "target", "digest", "size", "headers", "user-agent", "referer"]
  static let defaultKeys = ["base", "dir", "headers", "user-agent", "referer"]

  /// Checks the whole manifest before any of it is used.
  package static func parse(_ text: String) throws(DocumentError) -> Manifest {
    let root = try TOMLNode.parse(text, kind: kind)
    try root.allow(["defaults", "file", "source"], "it")
    let defaults = try root.tables("defaults").first
    try defaults?.allow(defaultKeys, "[defaults]")
    let base = try defaults?.url("base", "[defaults]", against: nil)
    let directory = try defaults?.text("dir", "[defaults]")
    var files: [File] = []
    var targets: Set<String> = []
    for (index, node) in try root.tables("file").enumerated() {
      let place = "[[file]] number \(index + 1)"
      try node.allow(fileKeys, place)
      var file = try read(node, place, base, directory)
      if let defaults {
        let own = Set(file.headers.map { $0.name.lowercased() })
        file.headers += try defaults.headers("[defaults]").filter { !own.contains($0.name.lowercased()) }
        if file.userAgent == nil { file.userAgent = try defaults.text("user-agent", "[defaults]") }
        if file.referer == nil { file.referer = try defaults.text("referer", "[defaults]") }
      }
      guard targets.insert(file.target).inserted else {
        throw DocumentError(kind, "\(place) has the same target as another file, \(quote(file.target))")
      }
      files.append(file)
    }
    try checkDirectories(files, targets)
    let names = try Manifest.names(root, directory)
    guard !files.isEmpty || !names.isEmpty else { throw DocumentError(kind, "it has no [[file]]") }
    return Manifest(files: files, names: names)
  }

  /// A file's target must not be the directory of another target.
  static func checkDirectories(_ files: [File], _ targets: Set<String>) throws(DocumentError) {
    for file in files {
      for (index, byte) in zip(file.target.utf8.indices, file.target.utf8) where byte == UInt8(ascii: "/") {
        let directory = String(file.target[..<index])
        guard targets.contains(directory) else { continue }
        throw DocumentError(kind, "\(quote(directory)) is the target of one file and the directory of another")
      }
    }
  }

  /// A relative path, or `s3://BUCKET/KEY`. The author's names are used unchanged or not at all.
  static func safeTarget(_ written: String) -> String? {
    guard ObjectPlace.isMeant(by: written) else { return DocumentPath.safe(written) == written ? written : nil }
    guard let found = try? ObjectPlace.object(parsing: written) else { return nil }
    return PathText.join(found.place.path, found.name) == written ? written : nil
  }

  private static func read(
    _ node: TOMLNode, _ place: String, _ base: RequestURL?, _ directory: String?
  ) throws(DocumentError) -> File {
    var urls = try node.urls("urls", place, against: base)
    if let url = try node.url("url", place, against: base) { urls.insert(url, at: 0) }
    guard let first = urls.first else { throw DocumentError(kind, "\(place) has no url") }
    let name = try node.text("target", place) ?? FileName.fromURLPath(first.path)
    let isWhole = ObjectPlace.isMeant(by: name)
    let written = isWhole ? name : directory.map { PathText.join($0, name) } ?? name
    guard let target = safeTarget(written) else {
      throw DocumentError(
        kind,
        "the target \(quote(written)) of \(place) must be a relative path below the manifest's directory, or s3://BUCKET/KEY"
      )
    }
    var file = File(
      target: target, urls: urls, digest: try node.digest("digest", place), size: try node.count("size", place))
    file.headers = try node.headers(place)
    file.userAgent = try node.text("user-agent", place)
    file.referer = try node.text("referer", place)
    return file
  }
}
