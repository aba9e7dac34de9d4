// `dray runners`: shows who transfers the jobs of the queue.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

internal import struct FoundationEssentials.UUID

struct Runners: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "runners",
    abstract: "Show who transfers the jobs of the queue.",
    discussion: """
      A runner is a `dray run`, `get` or `serve` with this job store, on this machine or, with a database, on any. Each has \
      a row: its name (`dray run --name`, else the machine and the process), the version of its program, since when it \
      runs, its active jobs and their rate, and when its lease was renewed last. A runner that ended without giving its \
      lease back is dead; others take over its jobs. A database remembers it for an hour.

      EXAMPLES
        dray runners
        dray runners --json | jq '.[] | select(.state == "dead") | .name'
      """)

  @Flag(help: "Print JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let records = try await Store.look()?.runners() ?? []
    if json {
      ResultOutput.standard.write(Runners.json(records))
    } else if records.isEmpty {
      Messages.print("no runner; `dray run` transfers the queue")
    } else {
      let isTTY = TerminalDevice.isTTY(1)
      let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
      Runners.write(
        records, now: WallClock.now(), width: isTTY ? TerminalDevice.size(1).columns : nil, profile: profile
      ) { ResultOutput.standard.write($0) }
    }
    return .success
  }

  static func write(
    _ records: [RunnerRecord], now: Double, width: Int?, profile: TerminalProfile, to sink: (String) -> Void
  ) {
    let columns = [
      TextTable.Column("NAME", minimum: 8, cut: .middle), TextTable.Column("STATE", minimum: 4),
      TextTable.Column("JOBS", isRightAligned: true, minimum: 4),
      TextTable.Column("RATE", isRightAligned: true, minimum: 4),
      TextTable.Column("SINCE", minimum: 5), TextTable.Column("SEEN", minimum: 4),
      TextTable.Column("VERSION", minimum: 5, isOptional: true),
    ]
    let rows = records.map { one in
      [
        TextTable.Cell(TextSafety.escaped(one.name ?? one.runner.uuidString)),
        TextTable.Cell(one.isDead ? "dead" : "alive", style: one.isDead ? .red : .green),
        TextTable.Cell(one.isDead ? "" : "\(one.jobs)"), TextTable.Cell(one.jobs > 0 ? ByteText.rate(one.rate) : ""),
        TextTable.Cell(one.since.map { TimeStamp.moment(Double($0), now: now) } ?? ""),
        TextTable.Cell(one.leaseAge.map { "\(TimeText.elapsed($0)) ago" } ?? (one.isDead ? "" : "now")),
        TextTable.Cell(one.version.map(TextSafety.escaped) ?? ""),
      ]
    }
    TextTable(columns, width: width, profile: profile).write(rows, to: sink)
  }

  static func json(_ records: [RunnerRecord]) -> JSONText {
    var text = JSONText()
    text.beginArray()
    for one in records {
      text.object { json in
        json.field("runner", one.runner.uuidString)
        json.field("name", one.name)
        json.field("state", one.isDead ? "dead" : "alive")
        json.field("version", one.version)
        json.field("since", one.since)
        json.field("jobs", one.jobs)
        json.field("rate", Int64(one.rate))
        json.field("leaseAge", seconds: one.leaseAge)
      }
    }
    text.endArray()
    text.endLine()
    return text
  }
}
