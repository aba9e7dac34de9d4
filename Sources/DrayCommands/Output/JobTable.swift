// The table that `dray list` prints.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

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
    /// The reason why a job waits or has stopped. If there is no room for two columns, this one replaces them. In a
    /// narrow window, the reasons stand below the table.
    static let reason = Columns(rawValue: 128)

    /// Selects the columns that contain anything. A window has no room for empty columns.
    init(_ rows: [JobTableRow], width: Int?) {
      self = []
      if width == nil || rows.contains(where: { $0.rate != nil }) { insert(.rate) }
      // A single runner is shown as well if its jobs have failed, because that runner may be the cause.
      if Set(rows.lazy.compactMap(\.runner)).count > 1 || rows.contains(where: \.isSpoilt) {
        insert(.runner)
      }
      if rows.contains(where: { $0.queue != nil }) { insert(.queue) }
      if rows.contains(where: { $0.wait != nil }) { insert(.wait) }
      if rows.contains(where: { $0.error != nil }) { insert(.error) }
      if let width, width < JobTable.narrow {
        subtract([.wait, .error])
      } else if let width, width < JobTable.wide, contains([.wait, .error]) {
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

  /// In a window that is narrower than this, the length is left out, because the progress is more useful, and reasons
  /// have no column.
  private static let narrow = 64
  /// In a window that is narrower than this, the URL is left out.
  private static let wide = 100
  /// The minimum width of the column with the reason for waiting, which has room for `until 05:47: 127.0.0.1:8080`.
  private static let waitMinimum = 30

  /// Writes the rows, fitted to a window of `width` columns, and below them the reasons that have no column. With `nil`,
  /// rows are not shortened.
  /// - Parameter keepsNames: Whether other columns are left out before a name is shortened, because a program such as
  ///   `grep` may look for the name.
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
      // In a narrow window, only the beginning of the text is shown, which contains the end of the hold and the server.
      // The lines below the table contain the rest.
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
    guard let width, width < narrow, !keepsNames else { return }
    for line in reasons(rows, width: width) { sink(line + "\n") }
  }

  /// Returns lines such as `[4, 7] 404 Not Found`. Jobs with the same reason share a line.
  private static func reasons(_ rows: [JobTableRow], width: Int) -> [String] {
    var labels: [String: [String]] = [:]
    var reasons: [String] = []
    for row in rows {
      guard let reason = row.wait ?? row.error else { continue }
      if labels[reason] == nil { reasons.append(reason) }
      labels[reason, default: []].append(row.label)
    }
    return reasons.flatMap { reason in
      let all = labels[reason] ?? []
      let named = all.prefix(mostNamed).joined(separator: ", ")
      let others = all.count > mostNamed ? " and \(all.count - mostNamed) more" : ""
      return TextFit.broken("[\(named)\(others)] \(reason.start(500))", width: width, indent: 2)
    }
  }

  /// The maximum number of jobs that a line about a reason names.
  private static let mostNamed = 5
}
