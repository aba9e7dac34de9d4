// Reads a catalog from JSON. Every field is checked, and nothing is guessed.

package import DrayCore

extension Catalog {
  /// The value of `dray-catalog`.
  package static let format: Int64 = 1
  static let kind = "a catalog"

  private static let fields = ["urls", "size", "digest", "headers", "filename", "description"]

  /// - Parameter base: The URL of the catalog, to which its relative URLs refer.
  /// - Throws: ``DocumentError``. For a syntax error, its reason begins with "it is not JSON".
  package static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Catalog {
    let root = try JSONNode.parse(bytes, kind: kind)
    let members = try object(root, "it")
    try known(members, ["dray-catalog", "services", "description"], "it")
    guard let format = root["dray-catalog"] else {
      throw DocumentError(kind, "\"dray-catalog\": \(self.format) is missing", line: root.line)
    }
    guard format.integer == self.format else {
      throw DocumentError(
        kind, "its format is not \(self.format): it may need a newer dray", line: format.line)
    }
    guard let services = root["services"] else {
      throw DocumentError(kind, "its \"services\" are missing", line: root.line)
    }
    var result: [Service] = []
    for member in try object(services, "\"services\"") {
      result.append(try service(member, base))
    }
    return Catalog(services: result)
  }

  private static func service(_ member: JSONNode.Member, _ base: RequestURL?) throws(DocumentError) -> Service {
    let place = "the service \(quote(member.name))"
    try known(try object(member.value, place), ["description", "versions"], place)
    guard let versions = member.value["versions"] else {
      throw DocumentError(kind, "\(place) has no \"versions\"", line: member.value.line)
    }
    var ordered: [Version] = []
    for version in try object(versions, "\"versions\" of \(place)") {
      let place = "version \(quote(version.name)) of \(place)"
      ordered.append(Version(version: version.name, file: try file(version.value, place, base)))
    }
    guard !ordered.isEmpty else { throw DocumentError(kind, "\(place) has no version", line: versions.line) }
    ordered.sort { VersionOrder.isLower($1.version, $0.version) }
    let description = try text(member.value["description"], "\"description\" of \(place)")
    return Service(name: member.name, description: description, ordered: ordered)
  }

  private static func file(_ node: JSONNode, _ place: String, _ base: RequestURL?) throws(DocumentError) -> OfferedFile
  {
    try known(try object(node, place), fields, place)
    var file = OfferedFile(urls: try urls(node["urls"], node.line, place, base))
    if let size = node["size"] {
      guard let count = size.integer, count >= 0 else {
        throw DocumentError(kind, "\"size\" of \(place) must be a number of bytes", line: size.line)
      }
      file.size = count
    }
    if let digest = node["digest"], let written = try text(digest, "\"digest\" of \(place)") {
      do throws(DigestParseError) {
        file.digest = try DigestValue.parse(written)
        file.digestSource = .catalog
      } catch {
        throw DocumentError(kind, "\"digest\" of \(place): \(error.message)", line: digest.line)
      }
    }
    if let name = node["filename"], let written = try text(name, "\"filename\" of \(place)") {
      guard let safe = FileName.safe(written), safe == written else {
        throw DocumentError(kind, "\"filename\" of \(place) is not a plain name of a file", line: name.line)
      }
      file.name = safe
    }
    if let headers = node["headers"] {
      for header in try object(headers, "\"headers\" of \(place)") {
        let value = try text(header.value, "the header field \(quote(header.name)) of \(place)")
        file.headers.append(HeaderField(header.name, value ?? ""))
      }
    }
    return file
  }

  private static func urls(
    _ node: JSONNode?, _ line: Int, _ place: String, _ base: RequestURL?
  ) throws(DocumentError) -> [RequestURL] {
    guard let node, let texts = node.array, !texts.isEmpty else {
      throw DocumentError(kind, "\"urls\" of \(place) must be an array of at least one URL", line: node?.line ?? line)
    }
    var urls: [RequestURL] = []
    var seen: Set<RequestURL> = []
    for text in texts {
      guard let written = text.string, let url = DocumentURL.resolve(written, against: base) else {
        let schemes = DocumentURL.schemes.sorted().joined(separator: ", ")
        throw DocumentError(
          kind,
          base == nil
            ? "a URL of \(place) cannot be used: write an absolute one (\(schemes))"
            : "a URL of \(place) cannot be used (\(schemes))", line: text.line)
      }
      if seen.insert(url).inserted { urls.append(url) }
    }
    return urls
  }

  private static func object(_ node: JSONNode, _ place: String) throws(DocumentError) -> [JSONNode.Member] {
    guard let members = node.object else {
      throw DocumentError(kind, "\(place) is \(node.kind), but must be an object", line: node.line)
    }
    return members
  }

  private static func text(_ node: JSONNode?, _ place: String) throws(DocumentError) -> String? {
    guard let node else { return nil }
    guard let text = node.string else {
      throw DocumentError(kind, "\(place) is \(node.kind), but must be a string", line: node.line)
    }
    return text
  }

  private static func known(_ members: [JSONNode.Member], _ names: [String], _ place: String) throws(DocumentError) {
    for member in members where !names.contains(member.name) {
      throw DocumentError(
        kind, "\(place) has no field \(quote(member.name)): \(NearestName.advice(member.name, among: names))",
        line: member.value.line)
    }
  }
}
