// The files of a repository as an answer of a source.

internal import DrayCore

extension HubTree {
  /// Returns the answer about a name.
  /// - Parameters:
  ///   - name: The name that was asked for.
  ///   - commit: The commit that its revision is; `nil` for a bucket.
  /// - Throws: ``DocumentError`` if a file has no URL.
  package func answer(
    _ name: HubName, commit: String?, at hub: HubAddress
  ) throws(DocumentError) -> SourceAnswer {
    let pinned = name.pinned(to: commit)
    var entries: [SourceAnswer.Entry] = []
    entries.reserveCapacity(files.count)
    for file in files {
      guard let url = hub.file(file.path, of: pinned) else {
        throw DocumentError(HubTree.kind, "\(quote(file.path)) has no URL")
      }
      let offer = OfferedFile(urls: [url], name: file.path, size: file.size, digest: file.digest)
      entries.append(SourceAnswer.Entry(offer, path: file.path))
    }
    var answer = SourceAnswer(pinned: pinned.name, revision: commit, entries: entries)
    if others > 0 { answer.remarks.append("\(others) \(others == 1 ? "entry" : "entries") left out: no files") }
    if name.kind == .bucket, !files.isEmpty { answer.remarks.append("a bucket has no digests: only sizes are checked") }
    if name.path.isEmpty, let commit { answer.documents = [SourceAnswer.Document("trees/\(commit).json", record)] }
    return answer
  }

  /// The listing as the official client keeps it, with which it knows whether a snapshot is complete.
  var record: [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("format_version", 1)
    json.key("files")
    json.beginObject()
    for file in files.sorted(by: { $0.path < $1.path }) {
      json.key(file.path)
      json.beginObject()
      json.field("size", file.size)
      json.field("blob_id", file.blob?.hex)
      if let sha256 = file.sha256 {
        json.field("lfs_sha256", sha256.hex)
        json.field("lfs_size", file.size)
      }
      json.endObject()
    }
    json.endObject()
    json.endObject()
    return json.bytes
  }
}
