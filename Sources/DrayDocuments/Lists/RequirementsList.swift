// Reads requirements.txt: pinned packages with their hashes, and direct URLs.

internal import DrayCore

enum RequirementsList {
  static let kind = "a requirements.txt with exact versions"
  static let source = DigestSource(rawValue: "requirements")
  /// The maximum length of a source's name in bytes.
  private static let longestName = 4096

  /// The options of pip in such a file. Those with a value are `true`.
  private static let options: [String: Bool] = [
    "-i": true, "--index-url": true, "--extra-index-url": true, "--no-index": false, "-c": true, "--constraint": true,
    "-r": true, "--requirement": true, "-e": true, "--editable": true, "-f": true, "--find-links": true,
    "--no-binary": true, "--only-binary": true, "--prefer-binary": false, "--require-hashes": false, "--pre": false,
    "--trusted-host": true, "--use-feature": true,
  ]

  // MARK: Recognising

  /// The meaning of a line for recognising the list.
  private enum Sign {
    /// No list of URLs has such a line.
    case requirement
    /// A list of URLs may have such a line.
    case other
    /// A name that may be a host or a package.
    case open
  }

  /// Whether a line that only a requirement can be comes before any other line. Names alone decide nothing.
  static func isMeant(_ head: ListHead) -> Bool {
    for line in head.lines.prefix(1000) {
      switch sign(of: line) {
      case .requirement: return true
      case .other: return false
      case .open: continue
      }
    }
    return false
  }

  private static func sign(of line: String) -> Sign {
    let parts = line.unicodeScalars.split(separator: "\t").map { String($0) }
    if parts.count > 1, !parts.dropFirst().allSatisfy({ !ListText.beginsURL($0.trimmingSpaces()) }) { return .other }
    if let option = line.hasPrefix("-") ? split(option: line).name : nil {
      return options[option] == nil ? .other : .requirement
    }
    if ListText.beginsURL(line) { return line.contains(" --hash=") ? .requirement : .other }
    guard let (name, rest) = project(line[...]) else { return .other }
    if rest.isEmpty || rest == "\\" { return PackageName.isProject(name) ? .open : .other }
    if rest.hasPrefix("@") { return ListText.beginsURL(rest.dropFirst().trimmingSpaces()) ? .requirement : .other }
    let isCompared = ["==", "~=", "!=", ">=", "<=", ">", "<"].contains(where: rest.hasPrefix)
    return isCompared || rest.hasPrefix("--hash=") || rest.hasPrefix(";") ? .requirement : .other
  }

  // MARK: Reading

  private struct Reader {
    var list = FileList()
    var indexes: [PyPIName.Index] = []
    var rows: [(name: String, version: String, hashes: [DigestValue], line: Int)] = []
    var hasMarkers = false
  }

  static func parse(_ bytes: [UInt8]) throws(DocumentError) -> FileList {
    var reader = Reader()
    for line in joined(try ListText.lines(bytes, kind: kind)) {
      let text = withoutComment(line.text)
      guard !text.isEmpty else { continue }
      if text.hasPrefix("-") {
        try read(option: text, line.number, &reader)
      } else {
        try read(requirement: text, line.number, &reader)
      }
    }
    var list = reader.list
    for row in reader.rows {
      let name = PyPIName(project: row.name, version: row.version, hashes: row.hashes, indexes: reader.indexes)
      let text = name.source.text
      guard text.utf8.count <= longestName else {
        throw DocumentError(kind, "\(quote(row.name)) has too many digests: \(row.hashes.count)", line: row.line)
      }
      list.append(name: text, line: row.line)
    }
    if reader.hasMarkers { list.remark("markers are not evaluated: packages of all environments are taken") }
    return list
  }

  /// Joins lines that end in a backslash with those after them. A comment ends such a line.
  private static func joined(_ lines: [ListLine]) -> [ListLine] {
    var result: [ListLine] = []
    var isOpen = false
    for line in lines {
      let isComment = line.text.trimmingSpaces().hasPrefix("#")
      let continues = line.text.last == "\\" && !isComment
      let text = isComment ? "" : continues ? String(line.text.dropLast()) : line.text
      if isOpen {
        result[result.count - 1].text += " " + text
      } else {
        result.append(ListLine(number: line.number, text: text))
      }
      isOpen = continues
    }
    return result
  }

  private static func withoutComment(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var before: Unicode.Scalar = " "
    var end = scalars.endIndex
    for index in scalars.indices {
      if scalars[index] == "#", before == " " || before == "\t" {
        end = index
        break
      }
      before = scalars[index]
    }
    return String(String(scalars[..<end]).trimmingSpaces())
  }

  /// Splits `--name value`, `--name=value` and `-ivalue`.
  private static func split(option text: String) -> (name: String, value: String) {
    let end = text.firstIndex { $0 == " " || $0 == "\t" || $0 == "=" } ?? text.endIndex
    var (name, value) = (String(text[..<end]), String(text[end...].dropFirst().trimmingSpaces()))
    if !name.hasPrefix("--"), name.count > 2 {
      value = String(text.dropFirst(2))
      name = String(name.prefix(2))
    }
    return (name, value)
  }

  private static func read(option text: String, _ line: Int, _ reader: inout Reader) throws(DocumentError) {
    let (name, value) = split(option: text)
    guard let hasValue = options[name] else {
      throw DocumentError(kind, "\(quote(name)) is not an option of pip in such a file", line: line)
    }
    guard !hasValue || !value.isEmpty else { throw DocumentError(kind, "\(name) has no value", line: line) }
    switch name {
    case "-i", "--index-url", "--extra-index-url":
      guard let index = PyPIName.Index(value, isExtra: name == "--extra-index-url") else {
        throw DocumentError(
          kind, "\(name): \(quote(URLRedaction.redacted(value))) is not the http URL of an index without a password",
          line: line)
      }
      if !index.isExtra { reader.indexes.removeAll { !$0.isExtra } }
      if !reader.indexes.contains(index) { reader.indexes.append(index) }
    case "-r", "--requirement":
      throw DocumentError(
        kind, "\(quote(value)) is another list: write one with all packages (uv pip compile, pip freeze)", line: line)
    case "-e", "--editable": reader.list.remark("\(quote(value)) is a source tree: left out", line: line)
    case "-f", "--find-links", "-c", "--constraint", "--no-binary":
      reader.list.remark("\(name) \(quote(URLRedaction.redacted(value))) is not used", line: line)
    default: break
    }
  }

  private static func read(requirement text: String, _ line: Int, _ reader: inout Reader) throws(DocumentError) {
    let (requirement, hashes) = try hashes(in: text, line)
    guard let (name, rest) = project(requirement[...]), !ListText.beginsURL(requirement), !rest.hasPrefix("/") else {
      return try read(address: requirement, hashes, line, &reader)
    }
    let isMarked = rest.contains(";")
    if rest.hasPrefix("@") {
      if isMarked, rest.firstRange(of: " ;") != nil { reader.hasMarkers = true }
      let target = rest.dropFirst().trimmingSpaces().split(separator: " ").first.map { String($0) } ?? ""
      return try read(address: target, hashes, line, &reader)
    }
    guard PackageName.isProject(name) else {
      throw DocumentError(kind, "\(quote(name)) is not the name of a package", line: line)
    }
    let written = rest.prefix { $0 != ";" }.trimmingSpaces()
    if isMarked { reader.hasMarkers = true }
    guard let version = exact(written) else {
      throw DocumentError(
        kind, "\(quote(name)) has no exact version (==): write one with `uv pip compile` or `pip freeze`", line: line)
    }
    reader.rows.append((String(name), version, hashes, line))
  }

  /// Returns VERSION of `==VERSION` or `===VERSION`.
  private static func exact(_ written: Substring) -> String? {
    var text = written
    if text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast() }
    guard text.hasPrefix("==") else { return nil }
    text = text.dropFirst(text.hasPrefix("===") ? 3 : 2).trimmingSpaces()
    return PyPIName.isVersion(text) ? String(text) : nil
  }

  /// Splits `name[extras] rest`; `nil` if the line does not begin like a name.
  private static func project(_ line: Substring) -> (name: Substring, rest: Substring)? {
    let name = line.prefix { character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
    guard let first = name.first, first.isLetter || first.isNumber else { return nil }
    var rest = line[name.endIndex...].trimmingSpaces()
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      rest = rest[rest.index(after: end)...].trimmingSpaces()
    }
    return (name, rest)
  }

  /// Takes the options at the end of a requirement.
  private static func hashes(in text: String, _ line: Int) throws(DocumentError) -> (String, [DigestValue]) {
    guard let mark = text.firstRange(of: " --") else { return (text, []) }
    var words = ListText.words(text[mark.lowerBound...])[...]
    var hashes: [DigestValue] = []
    while let word = words.popFirst() {
      guard word.hasPrefix("--hash") else {
        // Options for building from source, such as --config-settings, do not change what is fetched.
        guard word.hasPrefix("--") || !hashes.isEmpty || word.contains("=") else {
          throw DocumentError(kind, "\(quote(word)) is not an option of a requirement", line: line)
        }
        continue
      }
      let value = word.hasPrefix("--hash=") ? String(word.dropFirst(7)) : words.popFirst() ?? ""
      let digest = try ListText.digest(value, "--hash", kind: kind, line: line)
      guard [.sha256, .sha384, .sha512].contains(digest.algorithm) else {
        throw DocumentError(kind, "--hash takes sha256, sha384 or sha512", line: line)
      }
      if !hashes.contains(digest) { hashes.append(digest) }
    }
    return (String(text[..<mark.lowerBound].trimmingSpaces()), hashes)
  }

  /// Reads a direct URL, or a path on the machine of the list's author.
  private static func read(
    address: String, _ hashes: [DigestValue], _ line: Int, _ reader: inout Reader
  ) throws(DocumentError) {
    let shown = quote(URLRedaction.redacted(address))
    guard !address.contains("${") else {
      throw DocumentError(kind, "\(shown) has a variable of the environment: write its value", line: line)
    }
    guard ListText.beginsURL(address), !address.lowercased().hasPrefix("file:") else {
      return reader.list.remark("\(shown) is on the machine of its author: left out", line: line)
    }
    if ["git+", "hg+", "svn+", "bzr+"].contains(where: address.lowercased().hasPrefix) {
      return reader.list.remark("\(shown) is a repository: left out", line: line)
    }
    guard let url = DocumentURL.resolve(address, against: nil) else {
      throw DocumentError(kind, "\(shown) is not a URL that can be used", line: line)
    }
    if (try? RequestURL.parse(address))?.userInfo != nil {
      reader.list.remark("the password in \(shown) is not used: give --user or --netrc", line: line)
    }
    var file = OfferedFile(urls: [url], name: FileName.fromURLPath(url.path))
    let all = hashes + (try fragment(of: address, line))
    let strongest = all.min { $0.algorithm.rank < $1.algorithm.rank }
    guard all.allSatisfy({ $0.algorithm != strongest?.algorithm || $0 == strongest }) else {
      throw DocumentError(kind, "there are several digests for the one file of \(shown)", line: line)
    }
    file.digest = strongest
    file.digestSource = strongest.map { _ in source }
    reader.list.append(file)
  }

  /// Returns the digests in the fragment of a URL: `#sha256=HEX`, maybe with other parameters.
  private static func fragment(of address: String, _ line: Int) throws(DocumentError) -> [DigestValue] {
    guard let mark = address.firstIndex(of: "#") else { return [] }
    var digests: [DigestValue] = []
    for pair in address[address.index(after: mark)...].split(separator: "&") {
      let name = String(pair.prefix { $0 != "=" })
      guard DigestAlgorithm(named: name)?.identifies ?? false else { continue }
      digests.append(try ListText.digest(String(pair), "the digest in the URL", kind: kind, line: line))
    }
    return digests
  }
}
