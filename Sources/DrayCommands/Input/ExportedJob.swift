// The facts of a job that `dray export` writes besides its settings, so that `dray import` can continue the job.

internal import DrayDocuments
internal import DrayKit
internal import DrayWire

internal import struct FoundationEssentials.Data
internal import struct FoundationEssentials.UUID

struct ExportedJob: Equatable, Sendable {
  /// The id that the job has in the old store.
  var id: JobID?
  /// The ids that the jobs it waits for have in the old store.
  var waitsFor: [JobID] = []
  var state: JobState?
  /// The UUID in the name of its part file.
  var uuid: UUID?
  var checkpoint: ExportedCheckpoint?
}

/// The checkpoint of a job, written as an object whose values are all texts.
struct ExportedCheckpoint: Equatable, Sendable {
  var checkpoint: Checkpoint
  /// The name of the target, if it can no longer change.
  var name: String?

  init(_ checkpoint: Checkpoint, name: String?) { (self.checkpoint, self.name) = (checkpoint, name) }

  /// Parses a checkpoint from an export. The result is `nil` if its fields are invalid.
  init?(_ fields: [JSONNode.Member]) {
    var texts: [String: String] = [:]
    for field in fields {
      guard let text = field.value.string else { return nil }
      texts[field.name] = text
    }
    guard let segments = SegmentSet(texts["segments"] ?? ""), !segments.isEmpty else { return nil }
    checkpoint = Checkpoint(
      segments: segments,
      validators: Validators(
        etag: texts["etag"], lastModified: texts["last-modified"], date: texts["date"]))
    if let text = texts["size"] {
      guard let size = Int64(text), size >= segments.end else { return nil }
      checkpoint.size = size
    }
    if let text = texts["sums"] {
      guard let data = Data(base64Encoded: text), let sums = BlockSums(Array(data)) else { return nil }
      checkpoint.sums = sums.restricted(to: segments)
    }
    if let address = texts["source"], let url = try? RequestURL.parse(address).url {
      checkpoint.provenance = Provenance(
        url: url, codings: ExportedCheckpoint.list(texts["codings"]), mediaType: texts["type"], isImported: true)
    }
    for offer in ExportedCheckpoint.list(texts["offered"]) {
      guard let end = offer.lastIndex(of: " "),
        let digest = try? DigestValue.parse(String(offer[offer.index(after: end)...]))
      else { return nil }
      checkpoint.offered.append(SourcedDigest(digest, DigestSource(rawValue: String(offer[..<end]))))
    }
    name = texts["name"]
  }

  private static func list(_ text: String?) -> [String] {
    text.map { $0.split(separator: ",").map { String($0.trimmingSpaces()) } } ?? []
  }

  /// Whether the URL that sent the bytes contains a secret. This happens often, because redirects often end at a signed
  /// URL.
  var hasSecretSource: Bool { checkpoint.provenance.map { Setting.isSecretURL($0.url.string) } ?? false }

  /// Writes the checkpoint.
  /// - Parameter reveals: Whether secrets are written. If they are not, a source with a secret loses its query. The
  ///   source itself stays, because an import reads the codings only together with a source.
  func write(to json: inout JSONText, reveals: Bool) {
    json.field("segments", checkpoint.segments.description)
    if let size = checkpoint.size { json.field("size", "\(size)") }
    if let tag = checkpoint.validators.etag { json.field("etag", tag) }
    if let time = checkpoint.validators.lastModified { json.field("last-modified", time) }
    if let time = checkpoint.validators.date { json.field("date", time) }
    if let provenance = checkpoint.provenance {
      let source = reveals || !hasSecretSource ? provenance.url : provenance.url.withoutQuery
      json.field("source", source.string)
      if !provenance.codings.isEmpty { json.field("codings", provenance.codings.joined(separator: ",")) }
      if let type = provenance.mediaType { json.field("type", type) }
    }
    if !checkpoint.offered.isEmpty {
      json.field("offered", checkpoint.offered.map { "\($0.source.rawValue) \($0.digest)" }.joined(separator: ","))
    }
    if let name { json.field("name", name) }
    if !checkpoint.sums.isEmpty { json.field("sums", Data(checkpoint.sums.encoded()).base64EncodedString()) }
  }
}
