// Strips of files, graphs of rates, and frames of the whole window.

import Testing

@testable import TerminalUI

@Suite struct FilePictureTests {
  @Test(
    arguments: [
      (100, [0..<100], [], "▕██████████▏"), (100, [], [], "▕          ▏"), (100, [0..<50], [50..<100], "▕█████░░░░░▏"),
      (100, [0..<55], [55..<100], "▕█████▓░░░░▏"), (100, [0..<10, 50..<61], [10..<20], "▕█░   █▓   ▏"),
      (100, [0..<500], [-5..<3], "▕██████████▏"), (0, [0..<1], [0..<1], "▕          ▏"),
      (.max, [0..<(.max / 2)], [(.max / 2)..<(.max)], "▕█████░░░░░▏"),
    ] as [(Int64, [Range<Int64>], [Range<Int64>], String)])
  func partsAsCells(size: Int64, done: [Range<Int64>], fetching: [Range<Int64>], expected: String) {
    let map = FileMap(size: size, done: done, fetching: fetching)
    #expect(SegmentStrip.text(map, width: 12, unicode: true) == expected)
    let ascii = SegmentStrip.text(map, width: 12, unicode: false)
    #expect(ascii.utf8.count == 12 && ascii.hasPrefix("[") && ascii.hasSuffix("]"))
    for width in 0..<40 { #expect(DisplayWidth.of(SegmentStrip.text(map, width: width, unicode: true)) == width) }
  }

  @Test func ratesAsColumns() {
    let rates: [Double] = [0, 1, 4, 8, 16]
    #expect(RateGraph.rows(rates, width: 6, height: 2, unicode: true) == ["     █", "  ▁▄██"])
    #expect(RateGraph.rows(rates, width: 3, height: 1, unicode: true) == ["▂▄█"])
    #expect(RateGraph.rows([.nan, -1, .infinity, 3], width: 4, height: 1, unicode: true) == ["   █"])
    #expect(RateGraph.rows([], width: 3, height: 2, unicode: false) == ["   ", "   "])
    #expect(RateGraph.rows([1, 3], width: 2, height: 1, unicode: false) == [".|"])
  }

  private func frame(_ texts: [String], cursor: ScreenFrame.Cell? = nil) -> ScreenFrame {
    ScreenFrame(lines: texts.map { StyledLine($0) }, cursor: cursor)
  }

  @Test func onlyRowsThatChangedAreWritten() {
    var script = ScreenScript()
    let first = script.advance(to: frame(["a", "b", "c"]), columns: 10, rows: 3)
    #expect(first.contains("\u{1B}[2J") && first.contains("\u{1B}[2;1Hb"))
    #expect(script.advance(to: frame(["a", "b", "c"]), columns: 10, rows: 3) == "")
    let second = script.advance(to: frame(["a", "x", "c"]), columns: 10, rows: 3)
    #expect(second == "\u{1B}[?2026h\u{1B}[?7l\u{1B}[2;1Hx\u{1B}[K\u{1B}[?7h\u{1B}[?2026l")
    // A row that is not there any more is cleared.
    #expect(script.advance(to: frame(["a"]), columns: 10, rows: 3).contains("\u{1B}[3;1H\u{1B}[K"))
  }

  @Test func anotherWindowIsPaintedAgain() {
    var script = ScreenScript()
    _ = script.advance(to: frame(["a", "b"]), columns: 10, rows: 2)
    for (columns, rows) in [(9, 2), (9, 3)] {
      #expect(script.advance(to: frame(["a", "b"]), columns: columns, rows: rows).contains("\u{1B}[2J"))
    }
    // A full row has nothing after it to clear.
    #expect(!script.advance(to: frame(["123456789", "b"]), columns: 9, rows: 3).contains("9\u{1B}[K"))
  }

  @Test func theCursorIsSeenWhereSomethingIsTyped() {
    var script = ScreenScript()
    _ = script.advance(to: frame(["a"]), columns: 10, rows: 1)
    let shown = script.advance(to: frame(["a"], cursor: .init(row: 0, column: 4)), columns: 10, rows: 1)
    #expect(shown.contains("\u{1B}[1;5H\u{1B}[?25h"))
    #expect(script.advance(to: frame(["a"]), columns: 10, rows: 1).contains("\u{1B}[?25l"))
  }

  @Test func wordsStayWholeWhereTheyAreShort() {
    #expect(TextFit.wrapped("choose a job or none", width: 12, indent: 2) == ["choose a ", "  job or ", "  none"])
  }

  @Test(arguments: [40, 10, 7, 2, 1])
  func textsAreWrapped(width: Int) {
    let text = "https://example.org/a/long/path/日本語/x?a=b"
    let lines = TextFit.wrapped(text, width: width, indent: 2)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= max(2, width) }, "\(lines)")
    let joined = lines.enumerated().map { $0 > 0 ? String($1.dropFirst(min(2, width / 3))) : $1 }.joined()
    #expect(joined == text)
  }
}
