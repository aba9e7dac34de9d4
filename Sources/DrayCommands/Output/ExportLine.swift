// A job as a line that `dray add -i` and `dray import` read.

internal import DrayDocuments
internal import DrayKit
internal import DrayWire

internal import struct FoundationEssentials.UUID

struct ExportLine {
  private(set) var json = JSONText()
  private(set) var secrets = 0

  static func objection(to job: Job, reveals: Bool) -> String? {
    let request = job.specification.request
    if !request.isSafe { return "it sends data, which a list does not have" }
    if job.specification.options.repairs != nil { return "it repairs a file" }
    if job.specification.options.replaces != nil { return "it replaces a file that `dray sync` compared" }
    if !reveals, Setting.isSecretURL(request.url.string) { return "its URL has a secret in it (--reveal)" }
    return nil
  }

  /// Writes a job as a line.
  /// - Parameters:
  ///   - prerequisites: The jobs that the job waits for.
  ///   - sums: The checksums of those of its bytes that are on the disk.
  init(_ job: Job, prerequisites: [JobID], sums: BlockSums, reveals: Bool) {
    json.beginObject()
    json.field("url", job.specification.request.url.string)
    for setting in Setting.all where setting.name != "after" { write(setting, job.specification, reveals: reveals) }
    json.field("id", job.id)
    if !prerequisites.isEmpty {
      json.array("waits-for", prerequisites) { $0.value($1) }
    }
    json.field("state", job.state.rawValue)
    if let source = job.specification.options.source {
      if reveals || !source.hasSecrets {
        json.object("source") { source.write(to: &$0) }
      } else {
        secrets += 1
      }
    }
    // An upload cannot be exported, because it belongs to the store that began it.
    if !job.checkpoint.segments.isEmpty, job.state != .complete, job.specification.place.traits.keepsPartFiles {
      json.field("uuid", job.uuid.uuidString)
      var checkpoint = job.checkpoint
      checkpoint.sums = sums
      let kept = ExportedCheckpoint(checkpoint, name: job.fileName)
      if !reveals, kept.hasSecretSource { secrets += 1 }
      json.object("checkpoint") { kept.write(to: &$0, reveals: reveals) }
    }
    json.endObject()
    json.endLine()
  }

  private mutating func write(_ setting: Setting, _ job: JobSpecification, reveals: Bool) {
    let all = setting.values(job)
    let shown = all.filter { reveals || !setting.isSecret($0) }
    secrets += all.count - shown.count
    guard let last = shown.last else { return }
    switch setting.shape {
    case .boolean: json.field(setting.field, true)
    case .integer: json.field(setting.field, Int64(last))
    case .strings: json.array(setting.field, shown) { $0.value($1) }
    default: json.field(setting.field, last)
    }
  }
}
