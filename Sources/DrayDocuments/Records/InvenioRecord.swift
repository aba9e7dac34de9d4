// Records of InvenioRDM, which Zenodo and others run, in both forms of its JSON.

package import DrayCore

/// A record of InvenioRDM.
///
/// | form | where its files are |
/// |---|---|
/// | Zenodo's own, also for `application/json` today | `files[]`: `key`, `size`, `checksum`, `links.self` |
/// | Zenodo's own, some months of 2023 | `files[]`: `filename`, `filesize`, `checksum` without its algorithm |
/// | InvenioRDM's | `files.entries{}`, or `entries[]` at `links.files`: `key`, `size`, `checksum`, `links.content` |
package struct InvenioRecord: Sendable, Equatable {
  package var files: RecordFiles
  /// The list of files, if the record itself does not have it.
  package var list: RequestURL?

  static let kind = "a record of InvenioRDM"

  /// Reads a record.
  /// - Parameter base: The URL that answered.
  /// - Throws: ``DocumentError`` if it is no record.
  package static func parse(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> InvenioRecord {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let written = root["id"].flatMap({ node in node.string ?? node.integer.map { String($0) } }),
      let files = root["files"]
    else { throw DocumentError(kind, "\"id\" or \"files\" is missing", line: root.line) }
    var record = InvenioRecord(files: RecordFiles(revision: TextSafety.escaped(written.start(64))))
    record.files.doi = (root["pids"]?["doi"]?["identifier"]?.string ?? root["doi"]?.string).flatMap { DOIName($0) }
    let place = InvenioRecord.place(base, written)
    if files.array != nil || files["entries"] != nil {
      try record.read(files["entries"] ?? files, base, place, isZenodos: files.array != nil)
    } else if files["enabled"]?.value == .bool(false) {
      throw DocumentError(kind, "the record has a description only, no files", line: files.line)
    } else {
      record.list =
        root["links"]?["files"]?.string.flatMap { ServiceAddress.resolve($0, against: base) }
        ?? place.flatMap { ServiceAddress.resolve("\($0)/files", against: base) }
      guard record.list?.origin == base.origin else {
        throw DocumentError(kind, "its list of files is not on its own server", line: root.line)
      }
    }
    return record
  }

  /// Reads the list of files.
  package mutating func readList(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) {
    let root = try JSONNode.parse(bytes, kind: InvenioRecord.kind)
    guard let entries = root["entries"] else {
      throw DocumentError(InvenioRecord.kind, "\"entries\" is missing", line: root.line)
    }
    try read(
      entries, base, base.path.hasSuffix("/files") ? String(base.path.dropLast("/files".count)) : nil,
      isZenodos: false)
    list = nil
  }

  /// - Parameter isZenodos: Whether `links.self` is the file. Otherwise it is a description of the file.
  private mutating func read(
    _ list: JSONNode, _ base: RequestURL, _ place: String?, isZenodos: Bool
  ) throws(DocumentError) {
    let kind = InvenioRecord.kind
    for node in list.array ?? list.object?.map(\.value) ?? [] {
      guard let key = node["key"]?.string ?? node["filename"]?.string else {
        throw DocumentError(kind, "a file has no \"key\"", line: node.line)
      }
      let size = try (node["size"] ?? node["filesize"])?.fileSize("\"size\" of \(quote(key))", kind)
      let digest = try node["checksum"]?.fileDigest("\"checksum\" of \(quote(key))", kind, algorithm: "md5")
      let links = node["links"]
      // The links in the form of 2023 lead nowhere.
      let isOld = node["key"] == nil
      let content = isOld ? nil : links?["content"]?.string ?? (isZenodos ? links?["self"]?.string : nil)
      let path = content ?? place.map { "\($0)/files/\(PercentText.encoded(key))/content" }
      try files.add(key, path.flatMap { ServiceAddress.resolve($0, against: base) }, size: size, digest: digest)
    }
  }

  /// The path of the record in the API.
  private static func place(_ base: RequestURL, _ id: String) -> String? {
    guard let range = base.path.firstRange(of: "/api/records/") else { return nil }
    return String(base.path[..<range.upperBound]) + PercentText.encoded(id)
  }
}
