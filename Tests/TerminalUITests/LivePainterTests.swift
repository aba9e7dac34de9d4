// The painter, seen as a person sees it: its codes are replayed on a small terminal and the screen is checked.

import Glibc
import Testing

@testable import TerminalUI

@Suite struct LivePainterTests {
  /// A painter, the pipe that it writes to, and the screen that reads the pipe.
  private final class Stage {
    let pipe = PipeReader()
    let painter: LivePainter
    var screen: Screen

    init(columns: Int = 40, height: Int = 10, profile: TerminalProfile = Samples.full) {
      painter = LivePainter(descriptor: pipe.writeEnd, profile: profile)
      screen = Screen(columns: columns, height: height)
    }

    /// Paints and returns what was written.
    @discardableResult
    func paint(_ lines: [String], progress: TaskbarProgress? = nil) -> String {
      painter.paint(lines.map { StyledLine($0) }, columns: screen.columns, progress: progress)
      return show()
    }

    @discardableResult
    func show() -> String {
      let output = pipe.drain()
      screen.feed(output)
      #expect(screen.unknown == [])
      #expect(!screen.isInFrame)
      return output
    }
  }

  @Test func framesReplaceEachOther() {
    let stage = Stage()
    stage.screen.feed("$ dray get\r\n")
    stage.paint(["one 10 %", "two 10 %", "total"])
    #expect(stage.screen.lines == ["$ dray get", "one 10 %", "two 10 %", "total"])
    #expect(!stage.screen.showsCursor)
    stage.paint(["one 20", "two 10 %", "total 1"])
    #expect(stage.screen.lines == ["$ dray get", "one 20", "two 10 %", "total 1"])
    stage.paint(["two 30 %", "total"])
    #expect(stage.screen.lines == ["$ dray get", "two 30 %", "total"])
    stage.paint(["a", "b", "c", "d"])
    #expect(stage.screen.lines == ["$ dray get", "a", "b", "c", "d"])
    #expect(stage.screen.cursorRow == 5)
  }

  @Test("keys that the terminal echoes neither shift a frame nor leave traces")
  func typedKeys() {
    let stage = Stage()
    stage.paint(["big.bin 10 %", "total"])
    stage.screen.feed("abc")
    stage.paint(["big.bin 20 %", "total 2"])
    #expect(stage.screen.lines.prefix(2) == ["big.bin 20 %", "total 2"])
    stage.screen.feed("^Z")
    stage.paint([])
    #expect(stage.screen.lines.joined() == "")
  }

  @Test func nothingIsWrittenTwice() {
    let stage = Stage()
    stage.paint(["alpha", "beta", "gamma"])
    #expect(stage.paint(["alpha", "beta", "gamma"]) == "")
    let second = stage.paint(["alpha", "BETA", "gamma"])
    #expect(second.contains("BETA"))
    #expect(!second.contains("alpha") && !second.contains("gamma"))
    #expect(stage.screen.lines == ["alpha", "BETA", "gamma"])
  }

  @Test func messagesStandAboveOnceAndWhole() {
    let stage = Stage(columns: 20)
    stage.paint(["bar one", "total"])
    let long = "error: https://example.org/a/long/path: 404"
    stage.painter.printAbove([long, "second"])
    stage.show()
    stage.paint(["bar two", "total"])
    stage.paint(["bar three"])
    #expect(
      stage.screen.lines == [
        "error: https://examp", "le.org/a/long/path: ".trimmed, "404", "second", "bar three",
      ])
  }

  @Test func messagesScrollOffTheTopInOrder() {
    let stage = Stage(height: 5)
    for number in 0..<20 {
      stage.paint(["bar \(number)", "other", "total \(number)"])
      stage.painter.printAbove(["message \(number)"])
      stage.show()
    }
    #expect(stage.screen.lines == (0..<20).map { "message \($0)" } + ["bar 19", "other", "total 19"])
  }

  @Test func messagesBeforeAnyFrameHideNoCursor() {
    let stage = Stage()
    stage.painter.printAbove(["hello"])
    stage.show()
    #expect(stage.screen.showsCursor)
    #expect(stage.screen.lines == ["hello"])
  }

  @Test func hostileMessagesDoNotCommandTheTerminal() {
    let stage = Stage()
    stage.painter.printAbove(["\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}5Aname\r", Style(Samples.full).red("red")])
    stage.show()
    #expect(stage.screen.lines == ["[2J]0;x5Aname", "red"])
  }

  @Test func linesAsWideAsTheWindowAreWhole() {
    let stage = Stage(columns: 10)
    stage.paint(["0123456789", "日本語日本", "x"])
    stage.paint(["9876543210", "日本語日本", "y"])
    #expect(stage.screen.lines == ["9876543210", "日本語日本", "y"])
  }

  @Test func aLineThatTheTerminalFindsWiderLosesItsEndAndNothingElse() {
    let stage = Stage(columns: 10)
    for number in 0..<3 {
      stage.paint(["0123456789 too wide \(number)", "x"])
      stage.painter.printAbove(["m\(number)"])
      stage.show()
    }
    #expect(stage.screen.lines.dropLast(2) == ["m0", "m1", "m2"])
    #expect(stage.screen.lines.last == "x")
  }

  @Test(arguments: [39, 21, 20, 10, 7])
  func aWindowThatNarrowsLeavesNothingBehind(columns: Int) {
    let stage = Stage(columns: 40, height: 30)
    stage.screen.feed("before\r\n")
    stage.paint([String(repeating: "a", count: 40), String(repeating: "b", count: 21), "c"])
    stage.screen.resize(columns: columns)
    stage.paint(["short", "also", "c"])
    #expect(stage.screen.lines == ["before", "short", "also", "c"])
    stage.screen.resize(columns: 60)
    stage.paint([String(repeating: "a", count: 60), "b"])
    #expect(stage.screen.lines == ["before", String(repeating: "a", count: 60), "b"])
  }

  @Test(arguments: [39, 21, 20, 10, 7])
  func theEndLeavesNothingBehindInAWindowThatNarrowed(columns: Int) {
    let stage = Stage(columns: 40, height: 30)
    stage.screen.feed("before\r\n")
    stage.paint([String(repeating: "a", count: 40), String(repeating: "b", count: 21), "c"])
    stage.screen.resize(columns: columns)
    stage.painter.finish(erasing: true, columns: columns)
    stage.show()
    #expect(stage.screen.lines == ["before"])
  }

  @Test func withoutReflowNothingAboveTheFrameIsTouched() {
    let stage = Stage(columns: 40, profile: TerminalProfile(isInteractive: true, reflows: false))
    stage.screen.feed("before\r\n")
    stage.paint([String(repeating: "a", count: 40), "b"])
    stage.painter.paint([StyledLine("a"), StyledLine("b")], columns: 20)
    stage.show()
    #expect(stage.screen.lines == ["before", "a", "b"])
  }

  @Test func finishKeepsTheFrameAndShowsTheCursor() {
    let stage = Stage()
    stage.paint(["bar"], progress: .normal(50))
    stage.paint(["bar"], progress: .normal(50))
    stage.paint(["bar"], progress: .normal(51))
    stage.painter.finish()
    stage.painter.finish()
    stage.show()
    #expect(stage.screen.showsCursor)
    #expect(stage.screen.progress == ["1;50", "1;51", "0"])
    stage.paint(["again"])
    #expect(stage.screen.lines == ["bar", "again"])
    stage.painter.finish(erasing: true)
    stage.show()
    #expect(stage.screen.lines == ["bar"])
    #expect(stage.screen.showsCursor)
  }

  @Test func aPainterThatGoesAwayFinishes() {
    let pipe = PipeReader()
    LivePainter(descriptor: pipe.writeEnd, profile: Samples.full).paint([StyledLine("x")], columns: 10)
    #expect(pipe.drain().hasSuffix(Code.showCursor))
  }

  @Test func theRestoreSequencePutsTheTerminalInOrderAtAnyInstant() {
    let stage = Stage()
    let frame = Code.beginFrame + Code.hideCursor + Code.wrapOff + "half a li"
    stage.screen.feed(frame)
    stage.screen.feed("\(LivePainter.restoreSequence(for: Samples.full))")
    #expect(stage.screen.showsCursor && !stage.screen.isInFrame)
    #expect(stage.screen.progress == ["0"])
    #expect("\(LivePainter.restoreSequence(for: Samples.unicode))" == "\(LivePainter.restoreSequence)")
    #expect("\(LivePainter.restoreSequence(for: TerminalProfile()))" == "")
  }

  @Test func withoutATerminalThereAreNoCodesAtAll() {
    let stage = Stage(profile: TerminalProfile(unicode: true))
    stage.paint(["bar"], progress: .normal(1))
    stage.painter.printAbove([Style(TerminalProfile()).red("plain"), "\u{1B}[31mred"])
    stage.painter.finish()
    #expect(stage.show() == "plain\n[31mred\n")
  }

  @Test func aSlowTerminalGetsWholeFramesOnly() {
    let stage = Stage(columns: 1000, height: 400)
    let wide = (0..<300).map { String(repeating: "\($0 % 10)", count: 900) }
    stage.paint(["first"])
    // Far more than a pipe takes: the rest waits, and frames painted during the wait are dropped.
    stage.painter.paint(wide.map { StyledLine($0) }, columns: 1000)
    stage.painter.paint([StyledLine("left out")], columns: 1000)
    var output = ""
    for _ in 0..<20 {
      output += stage.pipe.drain()
      stage.painter.paint(wide.map { StyledLine($0) }, columns: 1000)
    }
    #expect(!output.contains("left out"))
    stage.screen.feed(output)
    #expect(stage.screen.lines == wide)
    #expect(!stage.screen.isInFrame)
  }

  @Test func aTerminalThatIsGoneIsIgnored() {
    let closed = LivePainter(descriptor: -1, profile: Samples.full)
    closed.paint([StyledLine("x")], columns: 10)
    closed.printAbove(["y"])
    closed.finish()

    let stage = Stage()
    stage.pipe.closeReadEnd()
    for number in 0..<3 { stage.painter.paint([StyledLine("\(number)")], columns: 40) }
    let writer = SteadyOutput(descriptor: stage.pipe.writeEnd)
    writer.write("x".utf8)
    #expect(writer.errorCode == EPIPE && !writer.isBehind)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
