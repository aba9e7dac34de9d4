// The screen of `dray watch` as a value: keys and changes come in, and a new state and actions come out. The code in
// this file has no effects outside its values, and reads no clock.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

enum WatchAction: Equatable {
  case quit
  case redraw
  case pause(JobID)
  case resume(JobID)
  case retry(JobID)
  case remove(JobID)
  case undo
  case move(JobID, QueuePlace)
  /// Queue these URLs.
  case add([String])
  /// Limit all runners, with an argument of `dray limit`.
  case limit(String)
  case limitJob(JobID, String)
  case look(JobID)
}

struct WatchState {
  enum Place: Equatable {
    case list, help
    case details(JobID)
  }

  private(set) var jobs = WatchJobs()
  private(set) var place = Place.list
  private(set) var prompt: WatchPrompt?
  private(set) var message: WatchMessage?
  /// The words that the name or the URL of a shown job must contain; empty if all jobs are shown.
  private(set) var filter = ""
  /// The jobs that contain these words, in order.
  private(set) var shown: [JobID] = []
  /// The index of the selected job in `shown`.
  private(set) var row = 0
  /// The index in `shown` of the first row on the screen.
  private(set) var top = 0
  private(set) var details: WatchDetails?
  /// The number of the first visible line of a page.
  private(set) var scroll = 0
  /// Whether the jobs have been read for the first time.
  private(set) var isLoaded = false
  /// Whether there is a step that can be undone.
  private(set) var canUndo = false
  private(set) var columns = 80
  private(set) var rows = 24
  private var selectedID: JobID?

  /// The number of rows by which one step of the mouse wheel scrolls.
  private static let wheelStep = 3
  /// The maximum number of lines of pasted text that are visible.
  static let addedLines = 6
  /// In a window with at least this many rows, a message has a row besides the row of the keys.
  private static let leastRows = 6

  var selected: JobID? { shown.indices.contains(row) ? shown[row] : nil }
  /// The job to which keys apply.
  private var subject: JobID? { if case .details(let id) = place { id } else { selected } }
  /// The number of rows for the list, which are all rows except the first one and those at the bottom.
  var listRows: Int { max(1, rows - 1 - footRows) }
  /// The number of rows at the bottom, which contain either a question, or the keys and a message above them. In a
  /// window with few rows, a message replaces the keys.
  var footRows: Int { prompt != nil ? panelRows : message != nil && rows >= WatchState.leastRows ? 2 : 1 }
  /// The hints about keys in the last row.
  var hints: [WatchHint] { WatchHints.shown(place, canUndo: canUndo, columns: columns) }
  /// The number of rows for the question; 0 if there is none.
  var panelRows: Int {
    guard let prompt else { return 0 }
    return (showsError ? 1 : 0)
      + (prompt.purpose == .add ? 1 + min(WatchState.addedLines, max(1, prompt.lines.count)) : 1)
  }
  /// Whether an error is shown above a question. A window with few rows has no room for the error.
  var showsError: Bool { prompt != nil && message?.isError == true && rows >= WatchState.leastRows }
  var visible: ArraySlice<JobID> { shown.dropFirst(top).prefix(listRows) }

  // MARK: News

  /// Adapts the state to the new size of the window.
  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    follow()
  }

  /// Takes in the changes that arrived at `now`.
  mutating func apply(_ news: WatchNews, now: Double) {
    isLoaded = true
    if jobs.take(news, now: now) { choose() }
    if case .details(let id) = place, jobs[id] == nil {
      place = .list
      message = message ?? WatchMessage(text: "job \(id) was removed")
    }
  }

  /// Shows the details of a job, unless the user has left the page of the job.
  mutating func show(_ details: WatchDetails) {
    if place == .details(details.id) { self.details = details }
  }

  /// Shows a message about the result of an action.
  mutating func say(_ text: String, isError: Bool = false) {
    message = WatchMessage(text: text, isError: isError)
    follow()
  }

  /// Asks a question again after an error, with the text that was typed, unless another question has been asked in the
  /// meantime.
  mutating func refuse(_ question: WatchPrompt, _ error: String) {
    prompt = prompt ?? question
    say(error, isError: true)
  }

  /// Records whether there is a step that can be undone.
  mutating func allowUndo(_ isPossible: Bool) { canUndo = isPossible }

  // MARK: Keys

  /// Handles a key.
  /// - Returns: The actions that follow from the key.
  mutating func handle(_ key: Key) -> [WatchAction] {
    if let key = clicked(key) { return handle(key) }
    message = nil
    defer { follow() }
    if prompt != nil { return answer(key) }
    switch key {
    case .control("l"): return [.redraw]
    case .character("?") where place != .help:
      (place, scroll) = (.help, 0)
      return []
    default: break
    }
    switch place {
    case .list: return choose(key)
    case .help: return read(key)
    case .details: return read(key)
    }
  }

  /// Returns the key that a click on the last row stands for.
  private func clicked(_ key: Key) -> Key? {
    guard case .click(let column, let row) = key, row == rows - 1, prompt == nil, message == nil || footRows > 1
    else { return nil }
    return WatchHints.key(at: column, in: hints)
  }

  /// Handles a key in the list.
  private mutating func choose(_ key: Key) -> [WatchAction] {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp, .control("b"): move(by: -max(1, listRows - 1))
    case .pageDown, .control("f"): move(by: max(1, listRows - 1))
    case .home, .character("g"): move(by: -shown.count)
    case .end, .character("G"): move(by: shown.count)
    case .wheelUp: move(by: -WatchState.wheelStep)
    case .wheelDown: move(by: WatchState.wheelStep)
    case .click(_, let line) where line >= 1 && line <= listRows && top + line - 1 < shown.count:
      // A click on the selected job opens the page of the job; so a double click on any job opens it.
      if top + line - 1 == row { return open() }
      select(top + line - 1)
    case .enter, .right: return open()
    case .character("/"): prompt = WatchPrompt(purpose: .filter, text: filter)
    case .character("q"): return [.quit]
    case .escape where !filter.isEmpty: setFilter("")
    case .paste(let text): prompt = WatchPrompt(purpose: .add, text: WatchState.pasted(text))
    default: return act(key)
    }
    return []
  }

  private mutating func open() -> [WatchAction] {
    guard let id = selected else { return [] }
    (place, details, scroll) = (.details(id), nil, 0)
    return [.look(id)]
  }

  /// Handles a key on a page.
  private mutating func read(_ key: Key) -> [WatchAction] {
    let page = max(1, rows - 3)
    switch key {
    case .up, .character("k"): scroll -= 1
    case .down, .character("j"): scroll += 1
    case .wheelUp: scroll -= WatchState.wheelStep
    case .wheelDown: scroll += WatchState.wheelStep
    case .pageUp, .control("b"): scroll -= page
    case .pageDown, .control("f"): scroll += page
    case .home, .character("g"): scroll = 0
    case .end, .character("G"): scroll = Int.max / 2
    case .escape, .enter, .left, .character("q"), .character("?"): (place, details, scroll) = (.list, nil, 0)
    default: return place == .help ? [] : act(key)
    }
    return []
  }

  /// Handles a key that acts on one job or on all jobs.
  private mutating func act(_ key: Key) -> [WatchAction] {
    switch key {
    case .character("a"):
      prompt = WatchPrompt(purpose: .add)
      return []
    case .character("l"):
      prompt = WatchPrompt(purpose: .limit)
      return []
    case .character("u"):
      if canUndo { return [.undo] }
      say("nothing to undo: no job was removed, paused, resumed or moved here")
      return []
    default: break
    }
    guard let id = subject, let record = jobs[id] else { return [] }
    switch key {
    case .character(" "): return toggle(record)
    case .character("r"): return again(record)
    case .character("x"), .delete: prompt = WatchPrompt(purpose: .remove(id))
    case .character("L"): prompt = WatchPrompt(purpose: .limitJob(id))
    case .character("J"): return move(record, by: 1)
    case .character("K"): return move(record, by: -1)
    default: break
    }
    return []
  }

  private mutating func toggle(_ record: JobSummary) -> [WatchAction] {
    switch record.state {
    case .active, .queued: return [.pause(record.id)]
    case .paused, .interrupted: return [.resume(record.id)]
    case .failed: say("job \(record.id) has failed: r starts it over")
    case .complete: say("job \(record.id) is complete")
    }
    return []
  }

  /// Retries a job: a job that was interrupted continues, and one that failed starts from the beginning.
  private mutating func again(_ record: JobSummary) -> [WatchAction] {
    switch record.state {
    case .failed, .complete: return [.retry(record.id)]
    case .interrupted, .paused, .queued: return [.resume(record.id)]
    case .active: say("job \(record.id) is active")
    }
    return []
  }

  /// Moves a job to the other side of the next or previous job in the queue.
  private mutating func move(_ record: JobSummary, by step: Int) -> [WatchAction] {
    func waits(_ id: JobID) -> Bool {
      jobs[id].map { [.queued, .paused, .interrupted].contains($0.state) } ?? false
    }
    guard waits(record.id) else {
      say("job \(record.id) \(record.state.predicate): only waiting jobs can be moved")
      return []
    }
    guard let index = jobs.order.firstIndex(of: record.id), jobs.order.indices.contains(index + step),
      waits(jobs.order[index + step])
    else { return [] }
    let other = jobs.order[index + step]
    jobs.move(record.id, nextTo: other, isAfter: step > 0)
    choose()
    return [.move(record.id, step > 0 ? .after(other) : .before(other))]
  }

  // MARK: Questions

  private mutating func answer(_ key: Key) -> [WatchAction] {
    guard var prompt else { return [] }
    if case .remove(let id) = prompt.purpose {
      self.prompt = nil
      return [.character("y"), .character("Y")].contains(key) ? [.remove(id)] : []
    }
    switch key {
    case .escape:
      self.prompt = nil
      if prompt.purpose == .filter { setFilter("") }
      return []
    case .enter:
      self.prompt = nil
      return finish(prompt)
    case .character(let character): prompt.text.append(character)
    case .backspace: _ = prompt.text.popLast()
    case .control("u"): prompt.text = ""
    case .control("w"):
      prompt.text = String(prompt.text.reversed().drop { $0 == " " }.drop { $0 != " " }.reversed())
    case .paste(let text):
      let pasted = WatchState.pasted(text)
      // Only the question for URLs can have an answer of several lines.
      prompt.text += prompt.purpose == .add ? pasted : pasted.split(separator: "\n").first.map(String.init) ?? ""
    default: return []
    }
    self.prompt = prompt
    if prompt.purpose == .filter { setFilter(prompt.text) }
    return []
  }

  private mutating func finish(_ prompt: WatchPrompt) -> [WatchAction] {
    let lines = prompt.lines
    switch prompt.purpose {
    case .add:
      if let line = lines.first(where: { $0.contains(" ") }) {
        refuse(prompt, "\(line): one URL a line, without options")
        return []
      }
      return lines.isEmpty ? [] : [.add(lines)]
    case .limit: return lines.first.map { [.limit($0)] } ?? []
    case .limitJob(let id): return lines.first.map { [.limitJob(id, $0)] } ?? []
    case .filter, .remove: return []
    }
  }

  /// Returns the pasted text with LF as the end of each line, because terminals send CR.
  private static func pasted(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  // MARK: Rows

  private mutating func setFilter(_ text: String) {
    guard text != filter else { return }
    filter = text
    choose()
  }

  /// Applies the filter to the rows again. The selected job stays selected. If it is no longer shown, the job that is
  /// now in the same row is selected.
  private mutating func choose() {
    let words = filter.lowercased().split(separator: " ")
    shown =
      words.isEmpty
      ? jobs.order
      : jobs.order.filter { id in
        let text = "\(id) \(jobs.name(id)) \(jobs[id]?.state.rawValue ?? "") \(ShownURL.text(jobs[id]?.url ?? ""))"
        let lowered = text.lowercased()
        return words.allSatisfy { lowered.contains($0) }
      }
    if let id = selectedID, let index = shown.firstIndex(of: id) { row = index }
    row = min(max(0, row), max(0, shown.count - 1))
    selectedID = selected
    follow()
  }

  private mutating func move(by step: Int) { select(row + step) }

  private mutating func select(_ index: Int) {
    row = min(max(0, index), max(0, shown.count - 1))
    selectedID = selected
  }

  /// Scrolls until the selected row is on the screen, but not beyond the end of the list.
  private mutating func follow() {
    top = min(top, row, max(0, shown.count - listRows))
    top = max(top, row - listRows + 1, 0)
    scroll = max(0, scroll)
  }

  /// Limits the scroll position to the number of lines that do not fit into the window.
  mutating func limitScroll(to most: Int) { scroll = min(scroll, max(0, most)) }
}
