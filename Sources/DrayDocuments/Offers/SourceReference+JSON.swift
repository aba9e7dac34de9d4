// The source of a job, as `dray export` writes it and `dray import` reads it.

package import DrayCore

extension SourceReference {
  private static let kind = "the source of a job"

  /// Whether the name contains secrets, such as those of a URL in it.
  package var hasSecrets: Bool {
    [name, pinned].contains { $0.map { URLRedaction.redactingURLs(in: $0) != $0 } ?? false }
  }

  /// Writes the members of an object.
  package func write(to json: inout JSONText) {
    json.field("name", name)
    if let pinned { json.field("pinned", pinned) }
    if let revision { json.field("revision", revision) }
    json.field("path", path)
    if let title { json.field("title", title) }
    guard !arrangements.isEmpty else { return }
    json.key("arrangements")
    json.beginArray()
    for one in arrangements {
      json.beginObject()
      switch one {
      case .links(let links): SourceReference.write(links, to: &json)
      case .image(let image): SourceReference.write(image, to: &json)
      }
      json.endObject()
    }
    json.endArray()
  }

  private static func write(_ links: LinkArrangement, to json: inout JSONText) {
    json.key("links")
    json.beginArray()
    for path in links.paths { json.value(path) }
    json.endArray()
    if let depth = links.depth { json.field("depth", depth) }
    if let lock = links.lock { json.field("lock", lock) }
    guard let note = links.note else { return }
    json.key("note")
    json.beginObject()
    json.field("path", note.path)
    json.field("text", note.text)
    json.field("time", note.time)
    json.endObject()
  }

  private static func write(_ image: ImageArrangement, to json: inout JSONText) {
    switch image.layout {
    case .index(let tag, let name):
      json.field("image", name)
      if let tag { json.field("tag", tag) }
    case .model(let path): json.field("model", path)
    }
    json.field("manifest", image.manifest.description)
    json.field("type", image.mediaType)
    json.field("size", image.size)
  }

  /// Reads the object.
  /// - Throws: ``DocumentError`` for a member that is missing or invalid.
  package init(kept node: JSONNode) throws(DocumentError) {
    func text(_ name: String) throws(DocumentError) -> String? { try SourceReference.text(node, name) }
    guard let name = try text("name"), let path = try text("path"), name.contains(":") else {
      throw DocumentError(SourceReference.kind, "its name or its path is missing")
    }
    self.init(
      name: name, pinned: try text("pinned"), revision: try text("revision"), path: path, title: try text("title"))
    guard pinned.map({ $0.hasPrefix(scheme + ":") }) ?? true else {
      throw DocumentError(SourceReference.kind, "its two names have different sources")
    }
    let list = node["arrangements"]?.array ?? []
    guard list.count <= ArrangementRule.most else {
      throw DocumentError(SourceReference.kind, "it has more than \(ArrangementRule.most) arrangements")
    }
    for one in list { arrangements.append(try SourceReference.arrangement(one)) }
  }

  private static func text(_ node: JSONNode, _ name: String) throws(DocumentError) -> String? {
    guard let value = node[name] else { return nil }
    guard let text = value.string, SourceAnswer.isText(text, longest: SourceAnswer.longest) else {
      throw DocumentError(kind, "its \(name) is not a printable text")
    }
    return text
  }

  private static func safe(_ node: JSONNode, _ name: String) throws(DocumentError) -> String? {
    guard let path = try text(node, name) else { return nil }
    return try safe(path, name)
  }

  /// Returns a path below the directory (P6). Names that begin with a dot stay: snapshots have them.
  private static func safe(_ path: String?, _ name: String) throws(DocumentError) -> String {
    let parts = path?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    guard let path, SourceAnswer.isText(path, longest: SourceAnswer.longest),
      parts.allSatisfy({ !["", ".", ".."].contains($0) })
    else { throw DocumentError(kind, "the path of its \(name) leads out of the directory") }
    return path
  }

  private static func arrangement(_ node: JSONNode) throws(DocumentError) -> SourceArrangement {
    if let paths = node["links"]?.array {
      var links = LinkArrangement(paths: [])
      for path in paths { links.paths.append(try safe(path.string, "link")) }
      links.depth = node["depth"]?.integer.flatMap { (0...256).contains($0) ? Int($0) : nil }
      links.lock = try safe(node, "lock")
      if let note = node["note"] {
        guard let path = try safe(note, "path"), let text = try text(note, "text"), text.utf8.count <= 512 else {
          throw DocumentError(kind, "its note is incomplete")
        }
        links.note = LinkArrangement.Note(path: path, text: text, time: seconds(note["time"]))
      }
      return .links(links)
    }
    guard let digest = try text(node, "manifest").flatMap({ try? DigestValue.parse($0) }),
      let type = try text(node, "type"), let size = node["size"]?.integer, size >= 0
    else { throw DocumentError(kind, "the manifest of its image is missing") }
    if let name = try text(node, "image") {
      let layout = ImageArrangement.Layout.index(tag: try text(node, "tag"), image: name)
      return .image(ImageArrangement(manifest: digest, mediaType: type, size: size, layout: layout))
    }
    guard let path = try safe(node, "model") else { throw DocumentError(kind, "an arrangement has no links") }
    return .image(ImageArrangement(manifest: digest, mediaType: type, size: size, layout: .model(path: path)))
  }

  private static func seconds(_ node: JSONNode?) -> Double {
    guard case .number(let digits)? = node?.value, let time = Double(digits), time.isFinite else { return 0 }
    return time
  }
}
