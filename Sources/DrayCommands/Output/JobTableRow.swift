internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

/// A row of the table. It contains only the values that are shown, because there may be 100,000 rows.
struct JobTableRow {
  /// The id of the job; for a group, a `g` and the id of the group.
  var label: String
  var state: JobState
  var received: Int64
  var size: Int64?
  var rate: Double?
  /// The runner that transfers the job, or whose attempt failed.
  var runner: String?
  var name: String
  var url: String
  var queue: String?
  var wait: String?
  /// A note that the job was requested in spite of a hold.
  var note: String?
  /// The last error; `nil` if the job has continued since then.
  var error: String?
  /// The times at which the job was added and ended, and its digest, if they are shown.
  var history: [String] = []
  var files: (complete: Int, all: Int)?

  /// - Parameter queues: The facts that explain why jobs wait.
  init(
    _ summary: JobSummary, live: ProgressEntry?, now: Double, queues: WaitContext? = nil,
    withHistory: Bool = false, reveals: Bool = false
  ) {
    let live = summary.state == .active ? live : nil
    label = "\(summary.id)"
    state = summary.state
    received = live?.received ?? summary.received
    size = live?.size ?? summary.size
    rate = live?.rate
    let whole = ShownURL.text(summary.url, reveals: reveals)
    url = whole.utf8.count > TextTable.longest ? whole.start(TextTable.longest + 1) : whole
    name = JobTableRow.name(summary)
    queue = summary.queue
    wait = JobWait.text(summary, now: now, queues: queues)
    note = HoldText.passed(summary, now: now)
    let failure = state == .active || state == .complete ? nil : summary.failure
    error = failure.map { TextSafety.escaped($0.reason.start(TextTable.longest)) }
    runner = (live?.runner ?? failure?.runner).map(TextSafety.escaped)
    if withHistory {
      history = [
        TimeStamp.moment(summary.addedAt, now: now), summary.finishedAt.map { TimeStamp.moment($0, now: now) } ?? "",
        summary.digest ?? "",
      ]
    }
  }

  static func name(_ summary: JobSummary) -> String {
    summary.shownName.map(TextSafety.escaped) ?? URLName.text(ShownURL.text(summary.url))
  }

  /// Returns the name of a job in its group: the title, else the path below the group's directory.
  static func name(_ summary: JobSummary, in group: StoredGroup) -> String {
    let directory = group.directory.hasSuffix("/") ? group.directory : group.directory + "/"
    let place = summary.directory + "/"
    guard summary.title == nil, place != directory, place.hasPrefix(directory) else { return name(summary) }
    return TextSafety.escaped(String(place.dropFirst(directory.count))) + name(summary)
  }

  /// Whether the job has stopped after a failure, and the runner of that attempt is known.
  var isSpoilt: Bool { runner != nil && (state == .failed || state == .interrupted) }

  /// The progress: a percentage if the size is known, otherwise a number of bytes.
  var progress: String {
    if let files { return "\(files.complete)/\(files.all)" }
    if state == .complete { return "100 %" }
    guard let size, size > 0 else { return received > 0 ? ByteText.size(received) : "" }
    return "\(min(99, Int(Double(received) / Double(size) * 100))) %"
  }

  func cells(_ columns: JobTable.Columns) -> [TextTable.Cell] {
    var cells: [TextTable.Cell] = [
      TextTable.Cell(label), TextTable.Cell(state.rawValue, style: JobTableRow.style(state)),
      TextTable.Cell(progress),
    ]
    if columns.contains(.size) { cells.append(TextTable.Cell(size.map(ByteText.size) ?? "")) }
    if columns.contains(.rate) { cells.append(TextTable.Cell(rate.map(ByteText.rate) ?? "")) }
    cells.append(TextTable.Cell(name))
    if columns.contains(.runner) { cells.append(TextTable.Cell(runner ?? "")) }
    if columns.contains(.queue) { cells.append(TextTable.Cell(queue.map(TextSafety.escaped) ?? "")) }
    if columns.contains(.wait) { cells.append(TextTable.Cell(wait ?? "", style: .dim)) }
    if columns.contains(.reason) {
      cells.append(TextTable.Cell(wait ?? error ?? "", style: wait == nil ? JobTableRow.style(state) : .dim))
    }
    if columns.contains(.error) { cells.append(TextTable.Cell(error ?? "", style: JobTableRow.style(state))) }
    if columns.contains(.note) { cells.append(TextTable.Cell(note ?? "", style: .dim)) }
    cells += history.map { TextTable.Cell($0) }
    if columns.contains(.url) { cells.append(TextTable.Cell(TextSafety.escaped(url), style: .dim)) }
    return cells
  }

  static func style(_ state: JobState) -> TextStyle? {
    switch state {
    case .queued: .dim
    case .active: .cyan
    case .complete: .green
    case .failed: .red
    case .interrupted, .paused: .yellow
    }
  }
}
