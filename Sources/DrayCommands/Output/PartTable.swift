// `dray list --parts`: the part files, and the uploads of objects.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

enum PartTable {
  /// Writes a line for each job that has a part file or an upload. Paths are never truncated.
  static func write(
    _ jobs: [JobFacts], uploads: [JobID: UploadLine], profile: TerminalProfile, to sink: (String) -> Void
  ) {
    let columns = [
      TextTable.Column("ID", isRightAligned: true), TextTable.Column("STATE", minimum: 11),
      TextTable.Column("BYTES", isRightAligned: true), TextTable.Column("PATH"),
    ]
    let rows = jobs.compactMap { job in
      let upload = uploads[job.id]
      return (upload?.text ?? job.partFile.map { TextSafety.escaped($0) }).map { place -> [TextTable.Cell] in
        [
          TextTable.Cell("\(job.id)"), TextTable.Cell(job.state.rawValue, style: JobTableRow.style(job.state)),
          TextTable.Cell("\(upload?.confirmed ?? job.received)"), TextTable.Cell(place),
        ]
      }
    }
    TextTable(columns, width: nil, profile: profile).write(rows, to: sink)
  }
}

struct UploadLine: Equatable {
  /// The bytes that the server has confirmed.
  var confirmed: Int64
  /// The object, the start of the upload's number, and the number of parts at the server.
  var text: String

  /// The number of characters of an upload's number that are shown.
  private static let longest = 8

  init(_ upload: ObjectUpload, of job: Job) {
    confirmed = upload.segments.count
    let target = job.target ?? PathText.join(job.specification.directory, PathText.name(of: upload.key))
    // The ids of servers are long, and `dray show` has them in full.
    let id = upload.id.count > UploadLine.longest + 1 ? upload.id.prefix(UploadLine.longest) + "…" : upload.id[...]
    let parts = UploadText.parts(upload, size: job.checkpoint.size)
    text = TextSafety.escaped("\(target)  upload \(id), \(parts)")
  }
}
