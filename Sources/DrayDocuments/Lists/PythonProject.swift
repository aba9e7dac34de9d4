// Reads an index's page of a project, in JSON (PEP 691) or HTML (PEP 503), and chooses the files of a version.

package import DrayCore

/// The files of a project in an index.
package struct PythonProject: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    package var name: String
    package var url: RequestURL
    package var size: Int64?
    var digests: [DigestValue] = []
    var requiresPython: String?
    /// The reason why the authors withdrew the file, which may be empty; `nil` if they did not.
    var withdrawal: String?
    var version: String
  }

  static let kind = "an index of Python's packages"
  /// The digest is from the index.
  static let source = DigestSource(rawValue: "package index")
  /// Both forms of pages, JSON first.
  package static let accept =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"

  package var files: [File] = []
  /// The number of files whose names are not those of the project's packages.
  private(set) var unknown = 0

  /// Reads a page.
  /// - Parameters:
  ///   - base: The URL of the page, to which its relative URLs refer.
  ///   - isJSON: Whether its media type is one of JSON.
  /// - Throws: ``DocumentError`` if the page is broken.
  package static func parse(
    _ bytes: [UInt8], project: String, base: RequestURL, isJSON: Bool
  ) throws(DocumentError) -> PythonProject {
    isJSON ? try json(bytes, project, base) : try html(bytes, project, base)
  }

  // MARK: JSON

  private static func json(_ bytes: [UInt8], _ project: String, _ base: RequestURL) throws(DocumentError)
    -> PythonProject
  {
    let root = try JSONNode.parse(bytes, kind: kind)
    let version = root["meta"]?["api-version"]?.string ?? "1.0"
    guard version.hasPrefix("1.") else {
      throw DocumentError(kind, "its api-version is \(quote(version)): it may need a newer dray", line: root.line)
    }
    guard let nodes = root["files"]?.array else { throw DocumentError(kind, "it has no \"files\"", line: root.line) }
    var page = PythonProject()
    for node in nodes {
      guard let name = node["filename"]?.string, let written = node["url"]?.string else {
        throw DocumentError(kind, "a file has no \"filename\" or no \"url\"", line: node.line)
      }
      guard var file = page.file(name, written, project, base) else { continue }
      if let size = node["size"], size.value != .null {
        guard let count = size.integer, count >= 0 else {
          throw DocumentError(kind, "the size of \(quote(name)) is not a number of bytes", line: size.line)
        }
        file.size = count
      }
      for member in node["hashes"]?.object ?? [] {
        guard let algorithm = DigestAlgorithm(named: member.name), algorithm.identifies else { continue }
        guard let digits = member.value.string,
          let digest = try? DigestValue.parse("\(algorithm.rawValue)=\(digits)")
        else { throw DocumentError(kind, "a digest of \(quote(name)) is invalid", line: member.value.line) }
        file.digests.append(digest)
      }
      file.requiresPython = node["requires-python"]?.string
      switch node["yanked"]?.value {
      case .string(let reason): file.withdrawal = reason
      case .bool(true): file.withdrawal = ""
      default: break
      }
      page.files.append(file)
    }
    return page
  }

  /// Returns a file; `nil` if it cannot be one of the project, or cannot be stored or fetched.
  private mutating func file(_ name: String, _ written: String, _ project: String, _ base: RequestURL) -> File? {
    guard let version = PackageName.version(of: name, project: project), DocumentPath.safe(name) == name,
      !name.contains("/"), let url = DocumentURL.resolve(written, against: base)
    else {
      unknown += 1
      return nil
    }
    return File(name: name, url: url, version: version)
  }

  // MARK: HTML

  private static func html(_ bytes: [UInt8], _ project: String, _ base: RequestURL) throws(DocumentError)
    -> PythonProject
  {
    var page = PythonProject()
    var rest = bytes[...]
    var hasLinks = false
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(mark + 1)...]
      guard let first = rest.first, first | 0x20 == UInt8(ascii: "a"), let next = rest.dropFirst().first, next <= 0x20
      else { continue }
      rest = rest.dropFirst()
      let attributes = HTMLTag.attributes(&rest, named: ["href", "data-yanked", "data-requires-python"])
      guard let target = attributes["href"].map({ HTMLScanner.decoded($0) }) else { continue }
      hasLinks = true
      guard let url = DocumentURL.resolve(target, against: base),
        var file = page.file(FileName.fromURLPath(url.path), target, project, base)
      else { continue }
      if let mark = target.firstIndex(of: "#") {
        for pair in target[target.index(after: mark)...].split(separator: "&") {
          let algorithm = DigestAlgorithm(named: String(pair.prefix { $0 != "=" }))
          guard algorithm?.identifies ?? false else { continue }
          guard let digest = try? DigestValue.parse(String(pair)) else {
            throw DocumentError(kind, "the digest of \(quote(file.name)) is invalid")
          }
          file.digests.append(digest)
        }
      }
      file.requiresPython = attributes["data-requires-python"].map { HTMLScanner.decoded($0) }
      file.withdrawal = attributes["data-yanked"].map { HTMLScanner.decoded($0) }
      page.files.append(file)
    }
    guard hasLinks || bytes.contains(UInt8(ascii: "<")) else {
      throw DocumentError(kind, "it is neither JSON nor HTML")
    }
    return page
  }

  // MARK: Choosing

  /// Why a name leads to no file, as a clause, with what can be done.
  package struct Miss: Error, Sendable, Equatable {
    package var reason: String
    package var advice: String?
  }

  /// Returns the files that a name means.
  /// - Throws: ``Miss`` if there is none.
  package func find(_ name: PyPIName, _ machine: WheelMachine = .current) throws(Miss) -> SourceAnswer {
    let version = try version(of: name, machine)
    let all = files.filter { PythonProject.isSame($0.version, version) }
    let chosen = try PythonProject.choose(all, name, machine)
    var pinned = name
    (pinned.version, pinned.pins) = (version, [])
    // The pins need not be known once the files are.
    if !name.pins.isEmpty { pinned.pattern = "*" }
    let entries = chosen.map { file in
      var offer = OfferedFile(urls: [file.url], name: file.name, size: file.size)
      offer.digest = file.digests.min { $0.algorithm.rank < $1.algorithm.rank }
      offer.digestSource = offer.digest.map { _ in name.pins.isEmpty ? PythonProject.source : RequirementsList.source }
      return SourceAnswer.Entry(offer, path: file.name)
    }
    var answer = SourceAnswer(pinned: pinned.source, revision: version, entries: entries)
    answer.remarks = remarks(chosen, of: all, name, version, machine)
    return answer
  }

  /// Whether two versions are equal, apart from their spelling.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    guard let first = PythonVersion(one), let second = PythonVersion(other) else { return false }
    return first == second
  }

  /// Returns the version in the name. A name without a version means the newest release with a wanted file.
  private func version(of name: PyPIName, _ machine: WheelMachine) throws(Miss) -> String {
    if let wanted = name.version {
      guard let found = files.first(where: { PythonProject.isSame($0.version, wanted) }) else {
        throw Miss(reason: "the index has no version \(wanted) of \(name.project)", advice: versions(name))
      }
      return found.version
    }
    var best: (version: PythonVersion, text: String)?
    var newestOther: (version: PythonVersion, text: String)?
    for (text, files) in Dictionary(grouping: files, by: \.version) {
      guard let version = PythonVersion(text) else { continue }
      let usable = files.filter { $0.withdrawal == nil }
      let isWanted = !version.isPreRelease && (try? PythonProject.choose(usable, name, machine)) != nil
      if isWanted {
        if best.map({ $0.version < version }) ?? true { best = (version, text) }
      } else if newestOther.map({ $0.version < version }) ?? true {
        newestOther = (version, text)
      }
    }
    guard let best else {
      throw Miss(
        reason: "no release of \(name.project) fits \(machine.words) that is neither a pre-release nor withdrawn",
        advice: newestOther.map { "pypi:\(PackageName.normal(name.project))==\($0.text)/* takes one by name" })
    }
    return best.text
  }

  /// The newest versions, for an error.
  private func versions(_ name: PyPIName) -> String? {
    let known = Set(files.map(\.version)).compactMap { text in PythonVersion(text).map { (text, $0) } }
    let newest = known.sorted { $1.1 < $0.1 }.prefix(5).map(\.0)
    return newest.isEmpty ? nil : "it has \(newest.joined(separator: ", "))\(known.count > 5 ? ", …" : "")"
  }

  private static func choose(_ all: [File], _ name: PyPIName, _ machine: WheelMachine) throws(Miss) -> [File] {
    let pinned = all.filter { name.takes($0.digests) }
    guard !pinned.isEmpty else {
      throw Miss(
        reason: all.isEmpty ? "the index has no file of it" : "no file in the index has one of the digests in the list",
        advice: nil)
    }
    if let pattern = name.pattern.flatMap({ try? PathPattern($0) }) {
      let matching = pinned.filter { pattern.matches([$0.name]) }
      guard matching.isEmpty else { return matching }
      throw Miss(reason: "no file matches \(quote(name.pattern ?? ""))", advice: "there is \(example(pinned))")
    }
    let fits = WheelChoice.choose(pinned, machine) { $0.name }
    guard fits.isEmpty else { return fits }
    throw Miss(
      reason: "no wheel fits \(machine.words), and there is no source archive",
      advice: "there is \(example(pinned)); a pattern such as /* takes files for other machines")
  }

  private static func example(_ files: [File]) -> String {
    files.prefix(3).map { TextSafety.escaped($0.name) }.joined(separator: ", ") + (files.count > 3 ? ", …" : "")
  }

  private func remarks(
    _ chosen: [File], of all: [File], _ name: PyPIName, _ version: String, _ machine: WheelMachine
  ) -> [String] {
    let package = "\(PackageName.normal(name.project)) \(version)"
    var remarks: [String] = []
    if name.pattern == nil {
      let wheels = chosen.compactMap { WheelName($0.name) }
      if wheels.isEmpty {
        remarks.append("\(package) has no wheel for \(machine.words): this is its source")
      } else if Set(wheels.compactMap(\.interpreter)).count > 1 {
        remarks.append(
          "\(package): \(chosen.count) of \(all.count) files fit \(machine.words), for several versions of Python; "
            + "a pattern takes fewer: pypi:\(PackageName.normal(name.project))==\(version)/*cp312*")
      }
    }
    if let needs = chosen.compactMap(\.requiresPython).first(where: { !$0.isEmpty }) {
      remarks.append("\(package) requires Python \(needs)")
    }
    if let reason = chosen.compactMap(\.withdrawal).first {
      remarks.append("\(package) was withdrawn by its authors\(reason.isEmpty ? "" : ": \(reason)")")
    }
    if chosen.contains(where: \.digests.isEmpty) {
      remarks.append("\(package): the index has no digest, nothing proves it")
    }
    return remarks.map { TextSafety.escaped($0) }
  }
}
