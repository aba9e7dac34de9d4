// Width and cutting of text: the rules that keep columns straight.

import Testing

@testable import TerminalUI

@Suite struct WidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국어", 6), ("ﾊﾝ", 2), ("Ａ", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4),
    ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("…", 1), ("█▏", 2), ("·", 1), ("α", 1),
    ("a\u{200B}b", 2), ("\u{AD}", 1), ("a\tb\u{1B}\u{7F}\u{9B}", 2), ("नि", 2), ("เก้า", 3), ("𠀀", 2),
  ])
  func widthInCells(text: String, cells: Int) {
    #expect(DisplayWidth.of(text) == cells)
  }

  @Test(arguments: [
    ("ubuntu-24.04.1-desktop-amd64.iso", 19, "ubuntu-24…amd64.iso"),
    ("short.iso", 9, "short.iso"), ("short.iso", 8, "sho….iso"), ("short.iso", 3, "s…o"),
    ("short.iso", 2, "s…"), ("short.iso", 1, "…"), ("short.iso", 0, ""),
    ("a-long-name.torrent", 12, "a-l….torrent"), ("日本語のファイル名.tar.gz", 14, "日本語….tar.gz"),
    ("日本語", 5, "日…語"), ("日本語", 4, "…語"), ("日本", 1, "…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5, "👨‍👩‍👧‍👦…👨‍👩‍👧‍👦"),
    ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}…e\u{301}"),
  ])
  func cutInTheMiddle(text: String, width: Int, expected: String) {
    #expect(TextFit.truncatedMiddle(text, width: width) == expected)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("日本語", 4, "日…"),
  ])
  func cutAtTheEnd(text: String, width: Int, expected: String) {
    #expect(TextFit.truncatedEnd(text, width: width) == expected)
  }

  @Test func asciiEllipsisTakesThreeCells() {
    #expect(TextFit.truncatedMiddle("ubuntu-24.04.iso", width: 11, ellipsis: "...") == "ubun....iso")
    #expect(TextFit.truncatedMiddle("ubuntu", width: 2, ellipsis: "...") == "ub")
  }

  @Test(
    "lines are broken between words, and a long word stays whole",
    arguments: [
      ("one two three", 7, 2, ["one two", "  three"]), ("one two", 7, 2, ["one two"]),
      ("  a: one two three", 9, 4, ["  a: one", "    two", "    three"]),
      ("  a:  wide", 6, 2, ["  a: ", "  wide"]), ("xxxxxxxxxxxx yes", 10, 2, ["xxxxxxxxxxxx yes"]),
      ("日本 日本", 5, 2, ["日本", "  日本"]), ("one two three", 4, 2, ["one two three"]),
    ] as [(String, Int, Int, [String])])
  func brokenBetweenWords(text: String, width: Int, indent: Int, expected: [String]) {
    #expect(TextFit.broken(text, width: width, indent: indent) == expected)
  }

  @Test func padsByCells() {
    #expect(TextFit.paddedRight("日", width: 4) == "日  ")
    #expect(TextFit.paddedLeft("日", width: 4) == "  日")
    #expect(TextFit.paddedLeft("long", width: 2) == "long")
  }

  @Test(arguments: Samples.names)
  func cutTextNeverExceedsItsWidth(name: String) {
    for width in 0...40 {
      for ellipsis in ["…", "..."] {
        #expect(DisplayWidth.of(TextFit.truncatedMiddle(name, width: width, ellipsis: ellipsis)) <= width)
        #expect(DisplayWidth.of(TextFit.truncatedEnd(name, width: width, ellipsis: ellipsis)) <= width)
      }
    }
  }
}
