// Tables in windows of every width, and whole in pipes.

import Testing

@testable import TerminalUI

@Suite struct TextTableTests {
  private let columns: [TextTable.Column] = [
    .init("ID", isRightAligned: true), .init("STATE"), .init("SIZE", isRightAligned: true, isOptional: true),
    .init("NAME", minimum: 8, cut: .middle), .init("URL", minimum: 10, cut: .end, isOptional: true),
  ]
  private let rows: [[TextTable.Cell]] = [
    [
      "1", .init("active", style: .cyan), "300 MiB", "ubuntu-24.04.1-desktop-amd64.iso",
      "https://example.org/u",
    ],
    ["12", "done", "", "日本語.zip"],
    ["113", "failed", "9 B", "x\u{1B}[2J", "https://example.org/a/very/long/path"],
  ]

  private func text(width: Int?, profile: TerminalProfile = Samples.unicode) -> [String] {
    var text = ""
    TextTable(columns, width: width, profile: profile).write(rows) { text += $0 }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  @Test func inAPipeEverythingIsWhole() {
    #expect(
      text(width: nil) == [
        " ID  STATE      SIZE  NAME                              URL",
        "  1  active  300 MiB  ubuntu-24.04.1-desktop-amd64.iso  https://example.org/u",
        " 12  done             日本語.zip",
        "113  failed      9 B  x[2J                              https://example.org/a/very/long/path",
      ])
  }

  /// One long text does not pad every other row with spaces; an unbounded one is cut.
  @Test func inAPipeALongTextCostsItsOwnLength() {
    let long = String(repeating: "x", count: 60_000)
    let rows: [[TextTable.Cell]] =
      [["1", "done", "", .init(long), .init(long)]] + (2...1000).map { ["\($0)", "done", "", "f", "http://h/f"] }
    var text = ""
    TextTable(columns, width: nil, profile: Samples.unicode).write(rows) { text += $0 }
    #expect(text.utf8.count < 1000 * 150 + 2 * TextTable.longest, "\(text.utf8.count)")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1001 && lines[1].utf8.count < 2 * TextTable.longest + 200)
    #expect(lines[1].contains("…") && lines[2].hasSuffix("http://h/f"))
  }

  @Test func inAWindowTheWidestGiveWay() {
    #expect(
      text(width: 60) == [
        " ID  STATE      SIZE  NAME                URL",
        "  1  active  300 MiB  ubuntu-2…amd64.iso  https://example.o…",
        " 12  done             日本語.zip",
        "113  failed      9 B  x[2J                https://example.o…",
      ])
    #expect(
      text(width: 32) == [
        " ID  STATE      SIZE  NAME", "  1  active  300 MiB  ubun…4.iso", " 12  done             日本語.zip",
        "113  failed      9 B  x[2J",
      ])
    #expect(
      text(width: 21) == [
        " ID  STATE   NAME", "  1  active  ubu….iso", " 12  done    日….zip", "113  failed  x[2J",
      ])
  }

  @Test(arguments: 1...120)
  func noRowIsWiderThanTheWindow(width: Int) {
    for line in text(width: width) {
      #expect(DisplayWidth.of(line) <= width)
      #expect(!line.hasSuffix(" "))
    }
  }

  @Test func stylesTakeNoRoom() {
    let plain = text(width: 60)
    let styled = text(width: 60, profile: Samples.full)
    #expect(styled.map(\.visible) == plain)
    #expect(styled[1].contains("\u{1B}[36mactive\u{1B}[39m"))
  }

  @Test func rowsAfterTheSampleAreWrittenAsTheyCome() {
    var written = 0
    var mostWaiting = 0
    var lines = 0
    let rows = (0..<20_000).lazy.map { number -> [TextTable.Cell] in
      written += 1
      return [.init("\(number)"), "queued", "1 B", .init("file-\(number)")]
    }
    TextTable(columns, width: 80, profile: Samples.unicode).write(rows, sample: 100) { chunk in
      let count = chunk.utf8.count { $0 == UInt8(ascii: "\n") }
      lines += count
      mostWaiting = max(mostWaiting, written + 1 - lines + count)
    }
    #expect(lines == 20_001)
    #expect(mostWaiting < 5000)
  }

  @Test func noRowsIsAHeadingOnly() {
    var text = ""
    TextTable(columns, width: 80, profile: Samples.ascii).write([]) { text += $0 }
    #expect(text == "ID  STATE  SIZE  NAME      URL\n")
  }

  @Test func aFailingSinkStopsTheTable() {
    struct Full: Error {}
    #expect(throws: Full.self) {
      try TextTable(columns, width: 80, profile: Samples.ascii).write(rows) { _ in throw Full() }
    }
  }
}
