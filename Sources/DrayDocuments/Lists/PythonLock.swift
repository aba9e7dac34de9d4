// Reads the lock files of Python: pylock.toml (PEP 751) and uv.lock.

internal import DrayCore

enum PythonLock {
  static let pylock = "a pylock.toml file"
  static let uvLock = "a uv.lock file"
  static let source = DigestSource(rawValue: "lock file")

  /// A file of a package, and whether it can be fetched.
  private struct Candidate {
    var name: String
    var file: OfferedFile?
  }

  /// Whether the first key is `version`, as in uv.lock, and the file is not the lock file of another program.
  static func isUV(_ head: ListHead) -> Bool {
    guard let first = head.lines.first, ListKind.isAssignment(first), head.keys.first == "version" else { return false }
    return head.keys.contains("requires-python")
  }

  static func pylock(_ bytes: [UInt8], _ machine: WheelMachine) throws(DocumentError) -> FileList {
    let text = try text(bytes, pylock)
    let root = try TOMLNode.parse(text, kind: pylock)
    let version = try root.text("lock-version", "it") ?? ""
    guard version.hasPrefix("1.") else {
      throw DocumentError(pylock, "its lock-version is \(quote(version)), not 1.0: it may need a newer dray")
    }
    return try read(root, "packages", text, pylock, machine) { (node, place, list) throws(DocumentError) in
      if node.has("directory") || node.has("vcs") {
        list.remark("\(place) is \(node.has("vcs") ? "a repository" : "a directory of its author"): left out")
        return nil
      }
      if let archive = try node.tables("archive").first {
        return [try candidate(archive, place, pylock, url: nil)]
      }
      let nodes = try node.tables("wheels") + node.tables("sdist")
      var candidates: [Candidate] = []
      for node in nodes { candidates.append(try candidate(node, place, pylock, url: nil)) }
      return candidates
    }
  }

  static func uvLock(_ bytes: [UInt8], _ machine: WheelMachine) throws(DocumentError) -> FileList {
    let text = try text(bytes, uvLock)
    let root = try TOMLNode.parse(text, kind: uvLock)
    guard try root.count("version", "it") == 1 else {
      throw DocumentError(uvLock, "its version is not 1: it may need a newer dray")
    }
    return try read(root, "package", text, uvLock, machine) { (node, place, list) throws(DocumentError) in
      guard let source = try node.tables("source").first else {
        throw DocumentError(uvLock, "\(place) has no source")
      }
      guard source.has("registry") || source.has("url") else {
        if source.has("git") { list.remark("\(place) is a repository of git: left out") }
        if source.has("path") { list.remark("\(place) is a file of its author: left out") }
        // The others are the project itself.
        return nil
      }
      let url = try source.text("url", place)
      var candidates: [Candidate] = []
      for node in try node.tables("wheels") + node.tables("sdist") {
        candidates.append(try candidate(node, place, uvLock, url: url))
      }
      return candidates
    }
  }

  private static func text(_ bytes: [UInt8], _ kind: String) throws(DocumentError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw DocumentError(kind, "it is not UTF-8") }
    return text
  }

  /// Reads the packages, and chooses of each the files that fit the machine.
  /// - Parameter candidates: Returns the files of a package; `nil` if it has none that could be fetched.
  private static func read(
    _ root: TOMLNode, _ key: String, _ text: String, _ kind: String, _ machine: WheelMachine,
    candidates: (TOMLNode, String, inout FileList) throws(DocumentError) -> [Candidate]?
  ) throws(DocumentError) -> FileList {
    var list = FileList()
    var (others, hasMarkers) = (0, false)
    for (index, node) in try root.tables(key).enumerated() {
      do throws(DocumentError) {
        guard let name = try node.text("name", "[[\(key)]] number \(index + 1)") else {
          throw DocumentError(kind, "[[\(key)]] number \(index + 1) has no name")
        }
        let place = try node.text("version", quote(name)).map { "\(quote(name)) \($0)" } ?? quote(name)
        hasMarkers = hasMarkers || node.has("marker") || node.has("resolution-markers")
        guard let all = try candidates(node, place, &list) else { continue }
        let chosen = WheelChoice.choose(all, machine) { $0.name }
        others += all.count { candidate in
          !chosen.contains { $0.name == candidate.name } && candidate.name.hasSuffix(".whl")
        }
        if chosen.isEmpty { list.remark("\(place) has no wheel for \(machine.words), and no source: left out") }
        for candidate in chosen {
          guard let file = candidate.file else {
            list.remark("\(candidate.name) is on the machine of its author: left out")
            continue
          }
          list.append(file)
        }
      } catch {
        throw located(error, [key, "\(index)"], text)
      }
    }
    if others > 0 { list.remark("\(others) wheels for other machines than \(machine.words) are left out") }
    if hasMarkers { list.remark("markers are not evaluated: packages of all environments are taken") }
    return list
  }

  /// Adds the line of a package to an error. TOMLKit knows lines only for errors of syntax.
  private static func located(_ error: DocumentError, _ path: [String], _ text: String) -> DocumentError {
    guard error.line == nil else { return error }
    return DocumentError(error.kind, error.reason, line: TOMLPlaces(text).line(path))
  }

  /// Reads a wheel, a source archive or an archive.
  /// - Parameter url: The URL of a package that is one file, whose table need not repeat it.
  private static func candidate(
    _ node: TOMLNode, _ place: String, _ kind: String, url: String?
  ) throws(DocumentError) -> Candidate {
    var written = url
    if let own = try node.text("url", place) { written = own }
    guard let written, !written.lowercased().hasPrefix("file:") else {
      var path = written ?? ""
      for key in ["name", "filename", "path"] { path = try node.text(key, place) ?? path }
      return Candidate(name: String(path.split(separator: "/").last ?? "a file"), file: nil)
    }
    guard let address = DocumentURL.resolve(written, against: nil) else {
      throw DocumentError(kind, "\(quote(URLRedaction.redacted(written))) of \(place) is not a URL that can be used")
    }
    var name = FileName.fromURLPath(address.path)
    if let own = try node.text("name", place) { name = own }
    guard let safe = DocumentPath.safe(name), safe == name, !name.contains("/") else {
      throw DocumentError(kind, "the name \(quote(name)) of a file of \(place) is not a plain one")
    }
    var file = OfferedFile(urls: [address], name: name, size: try node.count("size", place))
    file.digest = try digest(node, "\(quote(name)) of \(place)", kind)
    file.digestSource = file.digest.map { _ in source }
    return Candidate(name: name, file: file)
  }

  /// Returns the strongest known digest.
  /// - Throws: ``DocumentError`` if there are digests, and none is usable (P12).
  private static func digest(_ node: TOMLNode, _ place: String, _ kind: String) throws(DocumentError) -> DigestValue? {
    var written: [String] = []
    if let text = try node.text("hash", place) { written.append(text) }
    if let hashes = try node.tables("hashes").first {
      for name in hashes.keys { written.append("\(name):\(try hashes.text(name, place) ?? "")") }
    }
    guard !written.isEmpty else {
      guard kind == uvLock else { throw DocumentError(kind, "\(place) has no hashes") }
      return nil
    }
    let known = written.filter { text in DigestAlgorithm(named: String(text.prefix { $0 != ":" })) != nil }
    guard !known.isEmpty else { throw DocumentError(kind, "\(place) has no digest of a known kind") }
    var best: DigestValue?
    for text in known {
      let digest = try ListText.digest(text, "the digest of \(place)", kind: kind, line: nil)
      if digest.algorithm.rank < best?.algorithm.rank ?? .max { best = digest }
    }
    return best
  }
}
