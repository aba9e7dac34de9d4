// Reads the files of a data set that is described in Croissant, a form of JSON-LD.

internal import DrayCore

enum Croissant {
  static let kind = "a Croissant description of a data set"
  static let source = DigestSource(rawValue: "Croissant")

  /// The prefixes that contexts give to the names of schema.org and Croissant.
  private static let prefixes = ["", "sc:", "schema:", "cr:", "https://schema.org/", "http://schema.org/"]

  /// Whether an object has the members of such a document. In a list of JSON lines, neither is a field.
  static func isMeant(_ head: ListHead) -> Bool {
    guard head.isObject, head.contains("\"@context\"") else { return false }
    return head.contains("mlcommons.org/croissant")
      || prefixes.contains { prefix in head.bytes.firstRange(of: Array("\"\(prefix)distribution\"".utf8)) != nil }
  }

  static func parse(_ bytes: [UInt8]) throws(DocumentError) -> FileList {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let distribution = member("distribution", of: root) else {
      throw DocumentError(kind, "it has no \"distribution\"", line: root.line)
    }
    var list = FileList()
    var sets = 0
    for node in distribution.array ?? [distribution] {
      guard node.object != nil else {
        throw DocumentError(kind, "an entry of \"distribution\" is \(node.kind), not an object", line: node.line)
      }
      let types = types(of: node)
      if types.contains("FileSet") {
        sets += 1
      } else if types.contains("FileObject") || types.contains("DataDownload") {
        try append(node, to: &list)
      } else {
        throw DocumentError(kind, "an entry of \"distribution\" is neither a FileObject nor a FileSet", line: node.line)
      }
    }
    if sets > 0 {
      let words = sets == 1 ? "1 FileSet is" : "\(sets) FileSets are"
      list.remark("\(words) left out: they name files inside of others")
    }
    return list
  }

  private static func append(_ node: JSONNode, to list: inout FileList) throws(DocumentError) {
    let id = node["@id"]?.string ?? member("name", of: node)?.string ?? "a file without a name"
    if member("encodingFormat", of: node)?.string?.hasPrefix("git+") == true {
      return list.remark("\(quote(id)) is a repository of git: left out", line: node.line)
    }
    guard let address = member("contentUrl", of: node) else {
      let isInside = member("containedIn", of: node) != nil
      return list.remark(
        "\(quote(id)) \(isInside ? "is inside of another file" : "has no contentUrl"): left out", line: node.line)
    }
    guard let written = address.string else {
      throw DocumentError(kind, "contentUrl of \(quote(id)) is \(address.kind), not a string", line: address.line)
    }
    guard ListText.beginsURL(written) else {
      return list.remark("\(quote(id)) is beside the description or inside of another file: left out", line: node.line)
    }
    guard let url = DocumentURL.resolve(written, against: nil) else {
      throw DocumentError(kind, "contentUrl of \(quote(id)) is not a URL that can be used", line: address.line)
    }
    var file = OfferedFile(urls: [url], name: try name(of: node, url))
    file.size = member("contentSize", of: node).flatMap(size)
    file.digest = try digest(of: node, id)
    file.digestSource = file.digest.map { _ in source }
    list.append(file)
  }

  /// Returns the name if it looks like that of a file; otherwise the one in the URL.
  private static func name(of node: JSONNode, _ url: RequestURL) throws(DocumentError) -> String? {
    guard let name = member("name", of: node), let written = name.string, written.contains(".") else {
      let found = FileName.fromURLPath(url.path)
      return found.contains(".") ? found : nil
    }
    guard let safe = DocumentPath.relative(written) else {
      throw DocumentError(kind, "the name \(quote(written)) leads out of its directory", line: name.line)
    }
    return safe
  }

  /// Returns the size if it is exact: `1234`, `1234 B`, or a number. Descriptions also have `2.1 GB`.
  private static func size(_ node: JSONNode) -> Int64? {
    if let count = node.integer { return count >= 0 ? count : nil }
    guard let words = node.string.map({ ListText.words($0) }), words.count == 1 || words.count == 2,
      words.count == 1 || ["B", "bytes", "byte"].contains(words[1]), words[0].utf8.allSatisfy(ListText.isDigit)
    else { return nil }
    return Int64(words[0])
  }

  /// - Throws: ``DocumentError`` for a digest that is none: the author intended verification (P12).
  private static func digest(of node: JSONNode, _ id: String) throws(DocumentError) -> DigestValue? {
    for algorithm in [DigestAlgorithm.sha256, .sha512, .md5] {
      let name = algorithm.rawValue.filter { $0 != "-" }
      guard let found = member(name, of: node), found.value != .null else { continue }
      guard let written = found.string,
        let digest = try? DigestValue.parse("\(algorithm.rawValue)=\(written.trimmingSpaces())")
      else { throw DocumentError(kind, "\(name) of \(quote(id)) is not a digest", line: found.line) }
      return digest
    }
    return nil
  }

  private static func types(of node: JSONNode) -> [String] {
    guard let type = node["@type"] else { return [] }
    return (type.array ?? [type]).compactMap(\.string).map { text in
      String(text[(text.lastIndex { $0 == ":" || $0 == "/" }.map { text.index(after: $0) } ?? text.startIndex)...])
    }
  }

  private static func member(_ name: String, of node: JSONNode) -> JSONNode? {
    for prefix in prefixes {
      if let found = node[prefix + name] { return found }
    }
    return nil
  }
}
