// `dray list --parts`: the part files.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

enum PartTable {
  /// Writes a line for each job that has a part file. Paths are never truncated.
  static func write(_ jobs: [JobFacts], profile: TerminalProfile, to sink: (String) -> Void) {
    let columns = [
      TextTable.Column("ID", isRightAligned: true), TextTable.Column("STATE", minimum: 11),
      TextTable.Column("BYTES", isRightAligned: true), TextTable.Column("PATH"),
    ]
    let rows = jobs.compactMap { job in
      job.partFile.map { path -> [TextTable.Cell] in
        [
          TextTable.Cell("\(job.id)"), TextTable.Cell(job.state.rawValue, style: JobTableRow.style(job.state)),
          TextTable.Cell("\(job.received)"), TextTable.Cell(TextSafety.escaped(path)),
        ]
      }
    }
    TextTable(columns, width: nil, profile: profile).write(rows, to: sink)
  }
}
