// `dray list --parts`: the part files of jobs, and the unfinished uploads of objects.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

enum PartTable {
  /// Writes a line for each job that has a part file or an unfinished upload. Paths are never shortened.
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
  /// The number of bytes that the server has confirmed.
  var confirmed: Int64
  /// A text with the object, the start of the upload's id, and the number of parts that the server has.
  var text: String

  /// The number of characters of an upload's id that are shown.
  private static let longest = 8

  init(_ upload: ObjectUpload, of job: Job) {
    confirmed = upload.segments.count
    let target = job.target ?? PathText.join(job.specification.directory, PathText.name(of: upload.key))
    // The ids that servers give are long; `dray show` shows them in full.
    let id = upload.id.count > UploadLine.longest + 1 ? upload.id.prefix(UploadLine.longest) + "…" : upload.id[...]
    let parts = UploadText.parts(upload, size: job.checkpoint.size)
    text = TextSafety.escaped("\(target)  upload \(id), \(parts)")
  }
}
