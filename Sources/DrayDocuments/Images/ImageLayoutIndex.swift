// The index of an OCI image layout, to which images are added.

package import DrayCore

package enum ImageLayoutIndex {
  /// The content of the file `oci-layout`.
  package static let marker = Array("{\"imageLayoutVersion\": \"1.0.0\"}\n".utf8)
  /// The largest index in bytes.
  package static let longest = 16 << 20

  static let kind = "the index of an image layout"
  private static let tagKey = "org.opencontainers.image.ref.name"
  /// The full name, by which containerd and docker know an image of a layout.
  private static let imageKey = "io.containerd.image.name"

  /// Returns an index with an image added. An older image of the same full name is replaced; all else stays as it is.
  /// - Parameters:
  ///   - existing: The present index; `nil` if there is none.
  ///   - tag: `nil` if the image was asked for by its digest.
  ///   - name: The full name.
  /// - Returns: `nil` if the index has the image already.
  /// - Throws: ``DocumentError`` for a present index that is invalid.
  package static func adding(
    _ image: ImageArrangement, tag: String?, name: String, to existing: [UInt8]?
  ) throws(DocumentError) -> [UInt8]? {
    var members = [member("schemaVersion", .number("2")), member("mediaType", .string(mediaType))]
    if let existing {
      let root = try JSONNode.parse(existing, kind: kind)
      guard let found = root.object, root["schemaVersion"]?.integer == 2 else {
        throw DocumentError(kind, "its schemaVersion is not 2")
      }
      members = found
    }
    let place = members.firstIndex { $0.name == "manifests" }
    var entries: [JSONNode] = []
    if let place {
      guard let found = members[place].value.array else { throw DocumentError(kind, "its manifests are not an array") }
      entries = found
    }
    guard add(image, tag, name, to: &entries) else { return nil }
    if let place {
      members[place].value.value = .array(entries)
    } else {
      members.append(member("manifests", .array(entries)))
    }
    var json = JSONText()
    write(JSONNode(value: .object(members), line: 1), to: &json)
    json.endLine()
    return json.bytes
  }

  private static let mediaType = "application/vnd.oci.image.index.v1+json"

  /// - Returns: Whether the entries have changed.
  private static func add(
    _ image: ImageArrangement, _ tag: String?, _ name: String, to entries: inout [JSONNode]
  ) -> Bool {
    let digest = ImageDigest.text(image.manifest)
    func text(_ entry: JSONNode, _ key: String) -> String? { entry["annotations"]?[key]?.string }
    func has(_ entry: JSONNode) -> Bool { entry["digest"]?.string == digest }
    guard let tag else {
      // An image without a tag needs no name: its digest is one.
      if entries.contains(where: has) { return false }
      entries.append(entry(image, nil, name))
      return true
    }
    // Other programs write the tag without the full name.
    let isThere = entries.contains {
      has($0) && [tag, name].contains(text($0, tagKey)) && text($0, imageKey) ?? name == name
    }
    if isThere { return false }
    let isMine: (JSONNode) -> Bool = { text($0, imageKey) == name && text($0, tagKey) != nil }
    // Programs find an image of a layout by its tag alone. Of two images with one tag, the second gets its full name.
    let isTaken = entries.contains { text($0, tagKey) == tag && !isMine($0) }
    let new = entry(image, isTaken ? name : tag, name)
    if let old = entries.firstIndex(where: isMine) { entries[old] = new } else { entries.append(new) }
    return true
  }

  private static func entry(_ image: ImageArrangement, _ tag: String?, _ name: String) -> JSONNode {
    var annotations = [member(imageKey, .string(name))]
    if let tag { annotations.insert(member(tagKey, .string(tag)), at: 0) }
    return node(
      .object([
        member("mediaType", .string(image.mediaType)), member("digest", .string(ImageDigest.text(image.manifest))),
        member("size", .number(String(image.size))), member("annotations", .object(annotations)),
      ]))
  }

  private static func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value: value, line: 1) }

  private static func member(_ name: String, _ value: JSONNode.Value) -> JSONNode.Member {
    JSONNode.Member(name: name, value: node(value))
  }

  /// A number as it was written.
  private struct Digits: JSONScalar {
    var text: String
    func write(to json: inout [UInt8]) { json.append(contentsOf: text.utf8) }
  }

  private static func write(_ node: JSONNode, to json: inout JSONText) {
    switch node.value {
    case .null: json.value(nil as String?)
    case .bool(let flag): json.value(flag)
    case .number(let digits): json.value(Digits(text: digits))
    case .string(let text): json.value(text)
    case .array(let elements):
      json.beginArray()
      for element in elements { write(element, to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject()
      for member in members {
        json.key(member.name)
        write(member.value, to: &json)
      }
      json.endObject()
    }
  }
}
