// `dray list` as a table.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

/// A row of the table. It contains only shown values, because there may be 100,000 rows.
struct JobTableRow {
  /// The id of the job; for a group, the id after a `g`.
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
  /// A note for the user: the job was requested despite a hold.
  var note: String?
  /// The last error, unless the job has continued since.
  var error: String?
  /// The times of adding and ending, and the digest, if they are shown.
  var history: [String] = []
  var files: (complete: Int, all: Int)?

  /// - Parameter queues: The context of waiting jobs.
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
    summary.fileName.map(TextSafety.escaped) ?? URLName.text(ShownURL.text(summary.url))
  }

  /// Whether it has stopped after a failure of a runner that is known.
  var isSpoilt: Bool { runner != nil && (state == .failed || state == .interrupted) }

  /// The progress: a percentage if the size is known, otherwise bytes.
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

enum JobTable {
  struct Columns: OptionSet {
    let rawValue: Int
    static let rate = Columns(rawValue: 1)
    static let wait = Columns(rawValue: 2)
    static let error = Columns(rawValue: 4)
    static let url = Columns(rawValue: 8)
    static let size = Columns(rawValue: 16)
    static let queue = Columns(rawValue: 32)
    static let runner = Columns(rawValue: 64)
    static let note = Columns(rawValue: 256)
    /// The reason why a job waits or has stopped, in one column where there is no room for two.
    static let reason = Columns(rawValue: 128)

    /// The columns with content. A window has no room for empty ones.
    init(_ rows: [JobTableRow], width: Int?) {
      self = []
      if width == nil || rows.contains(where: { $0.rate != nil }) { insert(.rate) }
      // Show even a single runner if its jobs have failed, because it may be the one that spoils jobs.
      if Set(rows.lazy.compactMap(\.runner)).count > 1 || rows.contains(where: \.isSpoilt) {
        insert(.runner)
      }
      if rows.contains(where: { $0.queue != nil }) { insert(.queue) }
      if rows.contains(where: { $0.wait != nil }) { insert(.wait) }
      if rows.contains(where: { $0.error != nil }) { insert(.error) }
      if let width, width < JobTable.wide, contains([.wait, .error]) {
        subtract([.wait, .error])
        insert(.reason)
      }
      if width.map({ $0 >= JobTable.narrow }) ?? true { insert(.size) }
      if width.map({ $0 >= JobTable.wide }) ?? true {
        insert(.url)
        if rows.contains(where: { $0.note != nil }) { insert(.note) }
      }
    }

    init(rawValue: Int) { self.rawValue = rawValue }
  }

  /// Below this width, the length is omitted because the progress is more useful.
  private static let narrow = 64
  /// Below this width, the URL is omitted.
  private static let wide = 100
  /// The minimum width of the reason for waiting, in cells: `until 05:47: 127.0.0.1:8080`.
  private static let waitMinimum = 30

  /// Writes the rows, fitted to a window of `width` columns; `nil` for full rows.
  /// - Parameter keepsNames: Whether other columns are dropped before a name is cut: a program such as `grep` may look
  ///   for it.
  static func write(
    _ rows: [JobTableRow], withHistory: Bool = false, width: Int?, keepsNames: Bool = false, profile: TerminalProfile,
    to sink: (String) -> Void
  ) {
    let shown = Columns(rows, width: width)
    var columns = [
      TextTable.Column("ID", isRightAligned: true, minimum: rows.lazy.map(\.label.count).max() ?? 1),
      TextTable.Column("STATE", minimum: 11), TextTable.Column("DONE", isRightAligned: true, minimum: 8),
    ]
    if shown.contains(.size) { columns.append(TextTable.Column("SIZE", isRightAligned: true, minimum: 8)) }
    if shown.contains(.rate) {
      columns.append(TextTable.Column("RATE", isRightAligned: true, minimum: 4, isOptional: true))
    }
    columns.append(TextTable.Column("NAME", minimum: 8, cut: keepsNames && width != nil ? nil : .middle))
    if shown.contains(.runner) { columns.append(TextTable.Column("RUNNER", minimum: 6, cut: .end, isOptional: true)) }
    if shown.contains(.queue) { columns.append(TextTable.Column("QUEUE", minimum: 5, cut: .end, isOptional: true)) }
    let reason = shown.contains(.wait) ? "WAIT" : shown.contains(.reason) ? "REASON" : nil
    if let reason {
      // The end of a hold and its server come first, so that they stay in a narrow window. The lines below the table
      // have the rest.
      let longest = rows.lazy.map { $0.wait?.count ?? 0 }.max() ?? 0
      columns.append(TextTable.Column(reason, minimum: min(longest, waitMinimum), cut: .end, isOptional: true))
    }
    if shown.contains(.error) { columns.append(TextTable.Column("ERROR", minimum: 16, cut: .end, isOptional: true)) }
    if shown.contains(.note) { columns.append(TextTable.Column("NOTE", minimum: 8, cut: .end, isOptional: true)) }
    if withHistory {
      columns += ["ADDED", "ENDED"].map { TextTable.Column($0, minimum: 5) }
      columns.append(TextTable.Column("DIGEST", minimum: 8, cut: .end, isOptional: true))
    }
    if shown.contains(.url) { columns.append(TextTable.Column("URL", minimum: 8, cut: .end, isOptional: true)) }
    TextTable(columns, width: width, profile: profile)
      .write(rows.lazy.map { $0.cells(shown) }, to: sink)
  }
}
