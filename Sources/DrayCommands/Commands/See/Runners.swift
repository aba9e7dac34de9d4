// `dray runners`: shows which processes transfer the jobs of the queue.

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

      With a database, FAILED counts the attempts of each runner that failed within the last hour, retries included; a \
      runner that has ended since then and had some is listed, too. So a machine that spoils jobs stands out. \
      `dray list --state failed` names the runner of each job, and `dray show` that of each attempt.

      EXAMPLES
        dray runners
        dray runners --json | jq '.[] | select(.state == "dead") | .name'
        dray list --json --state failed | jq -r '.[].runner' | sort | uniq -c
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
    var columns = [
      TextTable.Column("NAME", minimum: 8, cut: .middle), TextTable.Column("STATE", minimum: 4),
      TextTable.Column("JOBS", isRightAligned: true, minimum: 4),
      TextTable.Column("RATE", isRightAligned: true, minimum: 4),
      TextTable.Column("SINCE", minimum: 5), TextTable.Column("SEEN", minimum: 4),
      TextTable.Column("VERSION", minimum: 5, isOptional: true),
    ]
    // A store that does not record which runner's attempts failed has no column for them.
    let hasFailures = records.contains { $0.failed != nil }
    if hasFailures { columns.insert(TextTable.Column("FAILED", isRightAligned: true, minimum: 6), at: failedPlace) }
    let rows = records.map { one in
      var cells = [
        TextTable.Cell(TextSafety.escaped(one.name ?? one.runner.uuidString)),
        TextTable.Cell(state(one), style: one.isDead ? .red : one.hasEnded ? .dim : .green),
        TextTable.Cell(one.isDead || one.hasEnded ? "" : "\(one.jobs)"),
        TextTable.Cell(one.jobs > 0 ? ByteText.rate(one.rate) : ""),
        TextTable.Cell(one.since.map { TimeStamp.moment(Double($0), now: now) } ?? ""),
        TextTable.Cell(
          one.leaseAge.map { "\(TimeText.elapsed($0)) ago" } ?? (one.isDead || one.hasEnded ? "" : "now")),
        TextTable.Cell(one.version.map(TextSafety.escaped) ?? ""),
      ]
      if hasFailures {
        cells.insert(
          TextTable.Cell(one.failed.map { "\($0)" } ?? "", style: one.failed ?? 0 > 0 ? .red : nil), at: failedPlace)
      }
      return cells
    }
    TextTable(columns, width: width, profile: profile).write(rows, to: sink)
  }

  private static let failedPlace = 4

  private static func state(_ one: RunnerRecord) -> String { one.isDead ? "dead" : one.hasEnded ? "ended" : "alive" }

  static func json(_ records: [RunnerRecord]) -> JSONText {
    var text = JSONText()
    text.beginArray()
    for one in records {
      text.object { json in
        json.field("runner", one.hasEnded ? nil : one.runner.uuidString)
        json.field("name", one.name)
        json.field("state", state(one))
        json.field("version", one.version)
        json.field("since", one.since)
        json.field("jobs", one.jobs)
        json.field("rate", Int64(one.rate))
        json.field("leaseAge", seconds: one.leaseAge)
        json.field("failed", one.failed)
      }
    }
    text.endArray()
    text.endLine()
    return text
  }
}
