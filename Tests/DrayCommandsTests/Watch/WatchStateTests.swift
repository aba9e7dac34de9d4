// The screen of `dray watch` without a terminal: keys in, frames out.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

/// Jobs of all states, as a store would have them.
private func records(_ states: [JobState], names: [String] = []) throws -> [JobSummary] {
  try states.enumerated().map { index, state in
    let url = try RequestURL.parse("http://host.example/dir/file-\(index + 1).iso?token=s3cret").url
    let specification = JobSpecification(
      request: TransferRequest(url: url), options: JobOptions(), directory: "/d",
      output: names.indices.contains(index) ? names[index] : nil)
    var job = Job(id: JobID(index + 1), uuid: UUID(), specification: specification, addedAt: 1)
    job.state = state
    if state == .complete { job.finishedAt = Double(index) }
    if state == .failed {
      job.failure = Failure(.status, "http://host.example/", "the server answered 404", httpStatus: 404)
    }
    return JobSummary(job, rank: Double(index + 1), waitsFor: [])
  }
}

private func state(
  _ states: [JobState], names: [String] = [], columns: Int = 80, rows: Int = 24
) throws -> WatchState {
  var state = WatchState()
  state.resize(columns: columns, rows: rows)
  var news = WatchNews(records: try records(states, names: names))
  news.counts = Dictionary(states.map { ($0, 1) }, uniquingKeysWith: +)
  state.apply(news, now: 0)
  return state
}

@Suite("The state of dray watch")
struct WatchStateTests {
  static let all: [JobState] = [.active, .queued, .paused, .interrupted, .failed, .complete]

  private func keys(_ text: String) -> [Key] { text.map { .character($0) } }

  @Test("rows: active, waiting in the order of the queue, failed, complete with the newest first")
  func order() throws {
    let state = try state([.complete, .failed, .queued, .active, .complete, .paused])
    #expect(state.shown == [4, 3, 6, 2, 5, 1])
    #expect(state.selected == 4)
  }

  @Test(
    "space and r in each state",
    arguments: [
      (1, [.pause(1)], []), (2, [.pause(2)], [.resume(2)]), (3, [.resume(3)], [.resume(3)]),
      (4, [.resume(4)], [.resume(4)]), (5, [], [.retry(5)]), (6, [], [.retry(6)]),
    ] as [(JobID, [WatchAction], [WatchAction])])
  func control(id: JobID, space: [WatchAction], again: [WatchAction]) throws {
    var state = try state(WatchStateTests.all)
    for _ in 1..<id { _ = state.handle(.down) }
    #expect(state.selected == id)
    #expect(state.handle(.character(" ")) == space)
    #expect((state.message == nil) == !space.isEmpty)
    #expect(state.handle(.character("r")) == again)
  }

  @Test(
    "x asks; only y removes",
    arguments: [("y", [.remove(1)]), ("n", []), ("q", []), ("x", [])] as [(Character, [WatchAction])])
  func remove(answer: Character, expected: [WatchAction]) throws {
    var state = try state(WatchStateTests.all)
    #expect(state.handle(.character("x")) == [])
    #expect(state.prompt == WatchPrompt(purpose: .remove(1)))
    #expect(state.handle(.character(answer)) == expected)
    #expect(state.prompt == nil)
  }

  @Test(
    "the question before a removal says what is lost",
    arguments: [
      (.complete, 100, 100, "Its file stays."), (.paused, 9_122_612, 10 << 20, "8.7 of 10.0 MiB go."),
      (.active, 9_122_612, nil, "8.7 MiB go."), (.queued, 0, 100, ""), (.sending, 5, 100, ""),
    ] as [(BarState, Int64, Int64?, String)])
  func loss(state: BarState, received: Int64, size: Int64?, expected: String) {
    #expect(WatchScreen.loss(BarItem(id: 1, name: "f", state: state, received: received, size: size)) == expected)
  }

  @Test("a long name leaves the rest of the question in the window")
  func longQuestion() throws {
    let name = String(repeating: "long-", count: 30) + ".iso"
    var all = try records([.paused], names: [name])
    (all[0].received, all[0].size) = (5 << 20, 10 << 20)
    var state = WatchState()
    state.resize(columns: 80, rows: 24)
    state.apply(WatchNews(records: all), now: 0)
    _ = state.handle(.character("x"))
    let last = screen(state).last ?? ""
    #expect(last.hasPrefix("Remove job 1, long-") && last.hasSuffix(".iso? 5.0 of 10.0 MiB go. (y/n) "))
  }

  @Test("after an error the question stays, with the typed text and below the error, unless another one has come")
  func refused() throws {
    var state = try state([.queued], rows: 10)
    _ = state.handle(.character("a"))
    _ = state.handle(.paste("http://h/a b"))
    #expect(state.handle(.enter) == [])
    let typed = WatchPrompt(purpose: .add, text: "http://h/a b")
    #expect(state.prompt == typed)
    let lines = screen(state)
    #expect(lines.count == 10 && lines[7].contains("one URL a line") && lines[9] == "> http://h/a b")
    _ = state.handle(.backspace)
    #expect(state.prompt?.text == "http://h/a " && state.message == nil)
    state.refuse(WatchPrompt(purpose: .limit, text: "x"), "no rate")
    #expect(state.prompt?.purpose == .add && state.message?.text == "no rate")
    _ = state.handle(.escape)
    state.refuse(typed, "no such host")
    #expect(state.prompt == typed)
  }

  @Test("u takes back what was done here, from the list and from a page")
  func undo() throws {
    var state = try state([.queued])
    #expect(state.handle(.character("u")) == [] && state.message?.text.hasPrefix("nothing to undo") == true)
    #expect(!WatchHints.text(state.hints).contains("undo"))
    state.allowUndo(true)
    #expect(state.handle(.character("u")) == [.undo])
    #expect(WatchHints.text(state.hints).contains("u undo"))
    _ = state.handle(.enter)
    #expect(state.handle(.character("u")) == [.undo])
  }

  @Test("a message has a row of its own above the keys, and hides no selected row; not in a low window")
  func messageAboveKeys() throws {
    var state = try state(Array(repeating: .queued, count: 30), rows: 10)
    _ = state.handle(.end)
    state.say("job 3 paused")
    var lines = screen(state)
    #expect(lines.count == 10 && lines[8] == "job 3 paused" && lines[9].hasPrefix("space pause"))
    #expect(state.visible.count == 7 && state.visible.last == state.selected)
    _ = state.handle(.up)
    #expect(state.visible.count == 8)
    state.resize(columns: 80, rows: 5)
    state.say("job 3 paused")
    lines = screen(state)
    #expect(lines.count == 5 && lines[4] == "job 3 paused")
  }

  @Test("a click on a key is the key, on the selected row it opens the job; under a question nothing is clicked")
  func clicks() throws {
    var state = try state([.queued, .queued])
    let keys = WatchHints.text(state.hints)
    func column(_ word: String) throws -> Int {
      let start = try #require(keys.firstRange(of: word)?.lowerBound)
      return keys.distance(from: keys.startIndex, to: start)
    }
    let (pause, remove, quit) = (try column("space"), try column("remove"), try column("q quit"))
    #expect(state.handle(.click(column: pause, row: 23)) == [.pause(1)])
    #expect(state.handle(.click(column: pause + 11, row: 23)) == [], "between two keys")
    #expect(state.handle(.click(column: remove, row: 23)) == [] && state.prompt == WatchPrompt(purpose: .remove(1)))
    #expect(state.handle(.click(column: quit, row: 23)) == [] && state.prompt == nil)
    #expect(state.handle(.click(column: 5, row: 2)) == [] && state.selected == 2)
    #expect(state.handle(.click(column: 5, row: 2)) == [.look(2)] && state.place == .details(2))
    #expect(state.handle(.click(column: 1, row: 23)) == [] && state.place == .list)
    #expect(state.handle(.click(column: quit, row: 23)) == [.quit])
  }

  @Test("the list reaches the right edge of the window", arguments: [80, 200, 300])
  func fullWidth(columns: Int) throws {
    var state = try state([.active], columns: columns)
    var news = WatchNews(records: try records([.active]))
    news.progress = [1: ProgressEntry(job: 1, received: 50 << 20, size: 100 << 20, rate: 1_048_576, phase: .receiving)]
    state.apply(news, now: 1)
    let profile = TerminalProfile(isInteractive: true, unicode: true)
    let line = WatchScreen(state: state, now: 0, frame: 0, profile: profile).drawn.lines[1]
    // At 80 columns there is no server, and the time left is not known yet.
    let end = columns < 200 ? "1.0 MiB/s" : "host.example"
    #expect(line.text.contains(end) && line.width <= columns)
    if columns >= 200 { #expect(line.text.hasSuffix(end) && line.width == columns) }
  }

  @Test("J and K move a waiting job past its neighbours, as fast as they are typed")
  func move() throws {
    var state = try state([.active, .queued, .queued, .queued, .failed])
    #expect(state.handle(.character("J")) == [] && state.message != nil)
    _ = state.handle(.down)
    #expect(state.handle(.character("K")) == [])
    #expect(state.handle(.character("J")) == [.move(2, .after(3))])
    #expect(state.handle(.character("J")) == [.move(2, .after(4))])
    #expect(state.handle(.character("J")) == [])
    #expect(state.shown == [1, 3, 4, 2, 5] && state.selected == 2)
    #expect(state.handle(.character("K")) == [.move(2, .before(4))])
    #expect(state.shown == [1, 3, 2, 4, 5])
  }

  @Test("selecting: by one, by pages, to the ends, by wheel, by click; the selected row is visible")
  func choose() throws {
    var state = try state(Array(repeating: .queued, count: 100), rows: 12)
    let table: [(Key, Int)] = [
      (.up, 0), (.down, 1), (.character("j"), 2), (.character("k"), 1), (.pageDown, 10), (.pageDown, 19), (.pageUp, 10),
      (.end, 99), (.down, 99), (.wheelUp, 96), (.wheelDown, 99), (.home, 0), (.character("G"), 99),
      (.character("g"), 0),
      (.click(column: 3, row: 4), 3), (.click(column: 3, row: 0), 3), (.click(column: 3, row: 11), 3),
    ]
    for (key, row) in table {
      _ = state.handle(key)
      #expect(state.row == row, "\(key)")
      #expect(state.visible.contains(state.selected ?? 0) && state.visible.count == 10, "\(key)")
    }
    state.resize(columns: 40, rows: 3)
    #expect(state.visible == [4])
  }

  @Test("the selected job stays selected when other jobs come, go and move")
  func selection() throws {
    var state = try state([.queued, .queued, .queued])
    _ = state.handle(.down)
    var all = try records([.queued, .queued, .queued])
    all[1].state = .active
    state.apply(WatchNews(records: all), now: 1)
    #expect(state.shown == [2, 1, 3] && state.selected == 2)
    state.apply(WatchNews(removed: [2]), now: 2)
    #expect(state.selected == 1)
    state.apply(WatchNews(removed: [1, 3]), now: 3)
    #expect(state.selected == nil && state.handle(.character(" ")) == [] && state.handle(.enter) == [])
  }

  @Test("a filter is applied while it is typed; Esc shows all again")
  func filter() throws {
    var state = try state([.queued, .active, .failed], names: ["alpha.iso", "Beta.iso", "gamma.iso"])
    for (text, expected) in [("BETA", [2]), ("host.example iso", [2, 1, 3]), ("failed", [3]), ("s3cret", [])]
      as [(String, [JobID])]
    {
      #expect(state.handle(.character("/")) == [])
      for key in keys(text) { _ = state.handle(key) }
      #expect(state.shown == expected, "\(text)")
      _ = state.handle(.enter)
      #expect(state.prompt == nil && state.filter == text)
      _ = state.handle(.escape)
      #expect(state.shown.count == 3)
    }
    _ = state.handle(.character("/"))
    for key in keys("gamma") { _ = state.handle(key) }
    for _ in 0..<5 { _ = state.handle(.backspace) }
    #expect(state.shown.count == 3)
  }

  @Test("pasted text is added line by line, whatever the line ends; none of it counts as keys")
  func paste() throws {
    var state = try state([.queued])
    _ = state.handle(.paste("http://a/1\r\n  http://a/2 \r\rhttp://a/q\n"))
    #expect(state.prompt?.purpose == .add && state.panelRows == 4)
    for key in keys("2") { _ = state.handle(key) }
    #expect(state.handle(.enter) == [.add(["http://a/1", "http://a/2", "http://a/q", "2"])])
    _ = state.handle(.character("a"))
    #expect(state.handle(.enter) == [] && state.prompt == nil)
    _ = state.handle(.character("a"))
    _ = state.handle(.paste("http://x/"))
    #expect(state.handle(.escape) == [] && state.prompt == nil)
  }

  @Test("limits: of all runners, of the job")
  func limits() throws {
    var state = try state([.queued])
    _ = state.handle(.character("l"))
    for key in keys("5x") { _ = state.handle(key) }
    _ = state.handle(.backspace)
    _ = state.handle(.paste("00k\nrest"))
    #expect(state.handle(.enter) == [.limit("500k")])
    _ = state.handle(.character("L"))
    for key in keys("foo") { _ = state.handle(key) }
    _ = state.handle(.control("u"))
    for key in keys("off") { _ = state.handle(key) }
    #expect(state.handle(.enter) == [.limitJob(1, "off")])
  }

  @Test("details and help open and close; details of a removed job close")
  func places() throws {
    var state = try state([.queued, .queued])
    #expect(state.handle(.enter) == [.look(1)])
    #expect(state.place == .details(1))
    #expect(state.handle(.character(" ")) == [.pause(1)])
    #expect(state.handle(.character("q")) == [] && state.place == .list)
    _ = state.handle(.character("?"))
    #expect(state.place == .help && state.handle(.character("x")) == [] && state.prompt == nil)
    #expect(state.handle(.escape) == [] && state.place == .list)
    _ = state.handle(.enter)
    state.apply(WatchNews(removed: [1]), now: 1)
    #expect(state.place == .list && state.message?.text == "job 1 was removed")
    #expect(state.handle(.character("q")) == [.quit])
  }

  private func screen(
    _ state: WatchState, _ profile: TerminalProfile = TerminalProfile(isInteractive: true, unicode: true)
  )
    -> [String]
  {
    WatchScreen(state: state, now: 0, frame: 0, profile: profile).drawn.lines.map(\.text)
  }

  @Test("the list at 80 columns")
  func list() throws {
    var state = try state(WatchStateTests.all, rows: 9)
    var news = WatchNews(records: try records(WatchStateTests.all))
    news.progress = [1: ProgressEntry(job: 1, received: 50 << 20, size: 100 << 20, rate: 1_048_576, phase: .receiving)]
    news.limit = "2.0 MiB/s"
    state.apply(news, now: 1)
    _ = state.handle(.down)
    let lines = screen(state)
    #expect(lines.count == 9)
    #expect(lines[0].hasPrefix("1 active · 1 queued · 1 done · 1 failed"))
    #expect(lines[0].contains("no runner: dray run") && lines[0].hasSuffix("limit 2.0 MiB/s"))
    #expect(lines[1].hasPrefix("  1  file-1.iso") && lines[1].contains(" 50 % ") && lines[1].contains("1.0 MiB/s"))
    #expect(lines[2].hasPrefix("▸ 2  file-2.iso") && lines[2].contains("queued"))
    #expect(lines[5].contains("failed: the server answered 404"))
    #expect(lines[8].hasPrefix("space pause") && lines[8].hasSuffix("q quit"))
    #expect(!lines.joined().contains("s3cret"))
  }

  @Test("no line is wider than the window, whatever is shown, and there are never more than it has rows")
  func widths() throws {
    let names = ["日本語のファイル名.tar.gz", "x\u{1B}[31mred\u{7}.bin", "👨‍👩‍👧‍👦 family 🇩🇪 flag.png"]
    for columns in [1, 2, 5, 10, 20, 21, 39, 40, 80, 81, 200] {
      for rows in [1, 2, 3, 5, 24] {
        var state = try state(WatchStateTests.all, names: names, columns: columns, rows: rows)
        func check(_ what: String) {
          for profile in [
            TerminalProfile(isInteractive: true), TerminalProfile(isInteractive: true, color: true, unicode: true),
          ] {
            let frame = WatchScreen(state: state, now: 0, frame: 3, profile: profile).drawn
            #expect(frame.lines.count <= rows, "\(what) \(columns)x\(rows)")
            for line in frame.lines {
              #expect(line.width <= columns, "\(what) \(columns)x\(rows): \(line.text)")
              #expect(ControlText.styled(line.text) == line.text)
            }
          }
        }
        check("list")
        _ = state.handle(.character("x"))
        check("remove")
        _ = state.handle(.escape)
        _ = state.handle(.paste("http://a/\u{1B}[2J\nhttp://日本語/\n"))
        check("add")
        _ = state.handle(.escape)
        state.say("something\u{1B}[2J went wrong, and it takes many words to say what", isError: true)
        check("message")
        _ = state.handle(.character("?"))
        check("help")
        _ = state.handle(.escape)
        _ = state.handle(.enter)
        state.show(
          WatchDetails(
            id: 1, lines: ["Job 1", "  url: http://日本語.example/a/b/c/d/e"], map: FileMap(size: 9, done: [0..<3])))
        check("details")
      }
    }
  }

  @Test("10,000 jobs: a frame renders the visible rows only")
  func many() throws {
    var state = try state(Array(repeating: .queued, count: 10_000))
    _ = state.handle(.end)
    #expect(state.selected == 10_000 && state.visible.count == 22)
    let lines = screen(state)
    #expect(lines.count == 24 && lines[0].hasSuffix("10000/10000") && lines[22].contains("file-10000.iso"))
  }

  @Test("the selected row is marked without colours, and stands out with them")
  func selectedRow() throws {
    let state = try state([.queued, .queued])
    #expect(screen(state, TerminalProfile(isInteractive: true))[1].hasPrefix("> 1"))
    let coloured = screen(state, TerminalProfile(isInteractive: true, color: true, unicode: true))
    #expect(coloured[1].hasPrefix("\u{1B}[7m▸ ") && !coloured[2].contains("\u{1B}[7m"))
  }
}
