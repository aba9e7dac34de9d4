// Datasets of Dataverse, as its API describes them.

package import DrayCore

package enum DataverseDataset {
  static let kind = "a dataset of Dataverse"

  /// Reads a dataset, or a file with its own DOI.
  ///
  /// If Dataverse has converted a table, the uploaded form is fetched: the digest is that of the uploaded file, and
  /// conversions are made for each request.
  /// - Parameter base: The URL that answered.
  /// - Throws: ``DocumentError`` if it is neither.
  package static func parse(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> RecordFiles {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard root["status"]?.string == "OK", let data = root["data"] else {
      throw DocumentError(kind, "\"status\" is not OK", line: root.line)
    }
    var record = RecordFiles()
    if data["dataFile"] != nil {
      try read(data, base, &record)
      return record
    }
    guard let version = data["latestVersion"], let files = version["files"]?.array else {
      throw DocumentError(kind, "\"latestVersion\" or its \"files\" is missing", line: root.line)
    }
    if let major = version["versionNumber"]?.integer {
      record.revision = "\(major).\(version["versionMinorNumber"]?.integer ?? 0)"
    }
    for file in files { try read(file, base, &record) }
    return record
  }

  private static func read(
    _ node: JSONNode, _ base: RequestURL, _ record: inout RecordFiles
  ) throws(DocumentError) {
    guard let data = node["dataFile"], let id = data["id"]?.integer,
      let label = node["label"]?.string ?? data["filename"]?.string
    else { throw DocumentError(kind, "a file has no \"id\" or no \"label\"", line: node.line) }
    let isTable = data["originalFileFormat"]?.string != nil
    let name = isTable ? data["originalFileName"]?.string ?? label : label
    let folder = (node["directoryLabel"]?.string ?? "").split(separator: "/").joined(separator: "/")
    let path = folder.isEmpty ? name : "\(folder)/\(name)"
    guard node["restricted"]?.value != .bool(true) else {
      return record.leaveOut(path, "its access is restricted; ask for it on the page of the dataset")
    }
    let size = try data[isTable ? "originalFileSize" : "filesize"]?.fileSize("the size of \(quote(label))", kind)
    let sum = data["checksum"]?["value"]
    let digest = try (sum ?? data["md5"])?.fileDigest(
      "the checksum of \(quote(label))", kind,
      algorithm: sum == nil ? "md5" : data["checksum"]?["type"]?.string ?? "unknown")
    let reference = "/api/access/datafile/\(id)" + (isTable ? "?format=original" : "")
    try record.add(path, ServiceAddress.resolve(reference, against: base), size: size, digest: digest)
  }
}
