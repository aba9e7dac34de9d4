// Draws the screen of `dray watch`. The frame depends only on the state and on the size of the window. Only the rows
// that are visible are drawn.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

struct WatchScreen {
  let state: WatchState
  /// The present time in seconds since 1970.
  let now: Double
  /// The number of the frame. The number animates the bars of jobs whose size is unknown.
  let frame: Int
  let profile: TerminalProfile

  var columns: Int { state.columns }
  var rows: Int { state.rows }

  var drawn: ScreenFrame {
    var lines: [StyledLine]
    switch state.place {
    case .list: lines = [header] + list
    case .help: lines = page(title: "Keys", help)
    case .details(let id): lines = page(title: "Job \(id)  \(state.jobs.name(id))", detailLines(id))
    }
    let foot = self.foot
    lines = Array(lines.prefix(max(0, rows - foot.count)))
    while lines.count < rows - foot.count { lines.append(StyledLine()) }
    lines += foot
    return ScreenFrame(lines: Array(lines.prefix(rows)), cursor: cursor)
  }

  /// The largest scroll position of the page that is shown.
  var mostScroll: Int {
    switch state.place {
    case .list: 0
    case .help: help.count - pageRows
    case .details(let id): detailLines(id).count - pageRows
    }
  }

  private var pageRows: Int { max(1, rows - 1 - foot.count) }

  /// Returns a text, shortened to the width of the window.
  func line(_ text: String, _ style: TextStyle? = nil) -> StyledLine {
    var line = StyledLine()
    let clean = ControlText.printable(text)
    line.append(TextFit.truncatedEnd(clean, width: columns, ellipsis: profile.ellipsis), style, profile: profile)
    return line
  }

  // MARK: The list

  /// The first row of the screen: counts, rate, limits.
  private var header: StyledLine {
    var notes: [(text: String, style: TextStyle?)] = []
    let waits = state.jobs.counts[.queued, default: 0] + state.jobs.counts[.interrupted, default: 0]
    if state.isLoaded, !state.jobs.hasRunners, waits > 0 { notes.append(("no runner: dray run", .yellow)) }
    if !state.filter.isEmpty { notes.append(("/\(TextSafety.escaped(state.filter))", .yellow)) }
    if let limit = state.jobs.limit { notes.append(("limit \(limit)", .yellow)) }
    if state.shown.count > state.listRows { notes.append(("\(state.row + 1)/\(state.shown.count)", .dim)) }
    // If space is short, the last notes are left out.
    func width() -> Int { notes.reduce(0) { $0 + 2 + DisplayWidth.of($1.text) } }
    while !notes.isEmpty, width() > max(0, columns - 12) { notes.removeLast() }
    var line = StyledLine()
    if state.isLoaded {
      line = TotalLine.draw(state.jobs.totals, width: max(0, columns - width()), profile: profile)
    } else {
      line.append(
        TextFit.truncatedEnd("reading the jobs", width: columns, ellipsis: profile.ellipsis), profile: profile)
    }
    line.pad(to: columns - width())
    for note in notes {
      line.append("  ")
      line.append(note.text, note.style, profile: profile)
    }
    return line
  }

  private var list: [StyledLine] {
    guard state.isLoaded else { return [] }
    guard !state.shown.isEmpty else { return [StyledLine(), line(emptyWords, .dim)] }
    let items = state.visible.compactMap { id in state.jobs.item(id, now: now) }
    let mark = columns > 20 ? 2 : 0
    // The widths of the columns stay the same while the user scrolls, because columns that move are hard to read.
    let layout = LineLayout(
      width: columns - mark, longestName: max(columns / 3, items.lazy.map { DisplayWidth.of($0.name) }.max() ?? 0),
      showsConnections: columns >= WatchScreen.wide || state.jobs.progress.values.contains { $0.connections > 1 },
      longestID: "\(state.jobs.largest)".utf8.count,
      longestHost: items.lazy.map { $0.host.map { DisplayWidth.of($0) } ?? 0 }.max() ?? 0,
      leastName: WatchScreen.leastName, fills: true)
    return items.map { item in
      var line = StyledLine()
      let isSelected = state.selected.map { Int($0) } == item.id
      if mark > 0 { line.append(isSelected ? (profile.unicode ? "▸ " : "> ") : "  ") }
      line.append(ProgressLine.draw(item, layout: layout, frame: frame, profile: profile))
      if isSelected { line.highlight(to: columns, profile: profile) }
      return line
    }
  }

  /// In a window that is narrower than this, names get all the room.
  private static let wide = 100
  /// The minimum width of names, which are the most important part of a row.
  private static let leastName = 16

  private var emptyWords: String {
    state.filter.isEmpty ? "No jobs. a adds URLs; so does `dray add URL`." : "No job matches. Esc shows all."
  }

  // MARK: Pages

  private var help: [StyledLine] {
    WatchHelp.lines(unicode: profile.unicode).flatMap { text in
      TextFit.wrapped(text, width: max(1, columns), indent: WatchHelp.indent).map { line($0) }
    }
  }

  private func page(title: String, _ all: [StyledLine]) -> [StyledLine] {
    let scroll = min(state.scroll, max(0, all.count - pageRows))
    var head = line(title, .bold)
    if all.count > pageRows {
      let place = "\(min(all.count, scroll + pageRows))/\(all.count)"
      if head.width + 2 + place.utf8.count <= columns {
        head.pad(to: columns - place.utf8.count)
        head.append(place, .dim, profile: profile)
      }
    }
    return [head] + all.dropFirst(scroll).prefix(pageRows)
  }

  // MARK: The last rows

  private var foot: [StyledLine] {
    if let prompt = state.prompt {
      guard state.showsError, let error = state.message else { return panel(prompt) }
      return [line(TextSafety.escaped(error.text), .red)] + panel(prompt)
    }
    let keys = line(WatchHints.text(state.hints), .dim)
    guard let message = state.message else { return [keys] }
    let words = line(TextSafety.escaped(message.text), message.isError ? .red : .green)
    return state.footRows > 1 ? [words, keys] : [words]
  }

  private func question(_ prompt: WatchPrompt) -> String {
    switch prompt.purpose {
    case .add: "Add URLs, one a line"
    case .filter: "/"
    case .limit: "Limit of all runners (500k, 2M, off, auto): "
    case .limitJob(let id): "Limit of job \(id) (500k, 2M, off): "
    case .remove(let id): removal(id)
    }
  }

  /// Returns the question that is asked before a removal, with the number of bytes that will be lost. A long name is
  /// shortened, and the rest of the question is not.
  private func removal(_ id: JobID) -> String {
    let loss = state.jobs.item(id, now: now).map(WatchScreen.loss) ?? ""
    let (start, end) = ("Remove job \(id), ", "?\(loss.isEmpty ? "" : " " + loss) (y/n) ")
    // The method `input` keeps room for the answer that the user types.
    let room = max(1, columns - 8 - DisplayWidth.of(start) - DisplayWidth.of(end))
    return start + TextFit.truncatedMiddle(state.jobs.name(id), width: room, ellipsis: profile.ellipsis) + end
  }

  /// Returns a text about the bytes that a removal loses, such as `8.7 of 10.0 MiB go.`
  static func loss(_ item: BarItem) -> String {
    if item.state == .complete { return "Its file stays." }
    guard item.received > 0, item.state != .sending else { return "" }
    let kept = item.size.map { ByteCount.share(item.received, of: $0) }
    return "\(kept ?? ByteText.size(item.received)) go."
  }

  private func panel(_ prompt: WatchPrompt) -> [StyledLine] {
    let question = question(prompt)
    guard prompt.purpose == .add else { return [input(question, prompt.text)] }
    let count = prompt.lines.count
    let number = count > 1 ? " (\(count))" : ""
    let title = line("\(question)\(number); Enter adds them, Esc does not", .bold)
    let typed = prompt.text.split(separator: "\n", omittingEmptySubsequences: true)
    let tail = typed.suffix(min(WatchState.addedLines, max(1, count)))
    return [title] + (tail.isEmpty ? [input("> ", "")] : tail.map { input("> ", String($0)) })
  }

  /// Returns a question and as much of the end of the typed text as fits.
  private func input(_ question: String, _ text: String) -> StyledLine {
    let clean = TextSafety.escaped(text)
    let asked = TextFit.truncatedEnd(question, width: max(0, columns - 8), ellipsis: profile.ellipsis)
    var line = StyledLine()
    line.append(asked, .bold, profile: profile)
    line.append(TextFit.tail(clean, width: max(0, columns - 1 - line.width)))
    return line
  }

  private var cursor: ScreenFrame.Cell? {
    guard state.prompt != nil, let last = foot.last else { return nil }
    return ScreenFrame.Cell(row: rows - 1, column: min(columns - 1, last.width))
  }
}

/// The page that describes the keys.
enum WatchHelp {
  private static let keys: [(String, String)] = [
    ("up down, j k", "choose a job"),
    ("PgUp PgDn, Home End", "a page; the first, the last"),
    ("enter", "everything about the job; Esc comes back"),
    ("space", "pause the job, or resume it"),
    ("r", "try again: a failed job from its start, others from what they have"),
    ("x", "remove the job (asks, and says what is lost); a finished file stays"),
    ("u", "undo the last removal, pause, resume or move; a removed job starts over"),
    ("J K", "move the job down or up in the queue"),
    ("a", "add URLs: type one, or paste several lines"),
    ("/", "filter by name, URL, number or state; Esc shows all"),
    ("l", "limit the rate of all runners"),
    ("L", "limit the rate of the job"),
    ("click, wheel", "choose a job, again for everything about it; the keys below work, too"),
    ("Ctrl-L", "draw the screen again"),
    ("Ctrl-Z", "stop this display; fg continues it"),
    ("q", "leave; jobs go on"),
  ]

  /// The column in which the descriptions begin.
  static let indent = 4 + (keys.map(\.0.count).max() ?? 0)

  static func lines(unicode: Bool) -> [String] {
    let width = keys.map(\.0.count).max() ?? 0
    let legend =
      unicode
      ? ["█ there", "▓ partly there", "░ being fetched"] : ["# there", "+ partly there", ". being fetched"]
    return keys.map { key, words in "  \(key)\(String(repeating: " ", count: width - key.count))  \(words)" }
      + ["", "  Parts of a file: " + legend.joined(separator: ", "), ""]
      + ["  Nothing here transfers: `dray run` and `dray get` do."]
  }
}
