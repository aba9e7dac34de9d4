// Lines for logs: few, and each readable on its own.

import Testing

@testable import TerminalUI

@Suite struct PlainReporterTests {
  private func item(
    _ received: Int64, _ state: BarState = .active, id: Int = 3, size: Int64? = 300, note: String? = nil
  ) -> BarItem {
    BarItem(
      id: id, name: "debian.iso", state: state, received: received * Samples.mebibyte,
      size: size.map { $0 * Samples.mebibyte }, rate: 11_744_052, eta: 15.5, note: note)
  }

  @Test func aWholeTransfer() {
    var reporter = PlainReporter()
    var lines = reporter.lines(for: [item(0, .queued)], now: 0)
    lines += reporter.lines(for: [item(0, .connecting)], now: 0)
    for second in 0...27 {
      lines += reporter.lines(for: [item(Int64(second) * 11)], now: 100 + Double(second))
      lines += reporter.lines(for: [item(Int64(second) * 11)], now: 100.5 + Double(second))
    }
    lines += reporter.lines(for: [item(300, .verifying)], now: 127.8)
    for _ in 0..<3 { lines += reporter.lines(for: [item(300, .complete)], now: 128) }
    #expect(lines.first == "[3] debian.iso: started, 300.0 MiB")
    #expect(lines[1] == "[3] debian.iso: 11 % of 300.0 MiB, 11.2 MiB/s, ETA 16 s")
    #expect(lines.count == 11)
    #expect(lines.last == "[3] debian.iso: complete, 300.0 MiB in 28 s")
  }

  @Test func whatIsSentIsToldApartFromWhatIsReceived() {
    var reporter = PlainReporter()
    var lines: [String] = []
    for second in 0...10 { lines += reporter.lines(for: [item(Int64(second) * 30, .sending)], now: Double(second)) }
    lines += reporter.lines(for: [item(0, .active, size: 20)], now: 11)
    lines += reporter.lines(for: [item(20, .complete, size: 20)], now: 12)
    #expect(lines.first == "[3] debian.iso: sending 300.0 MiB")
    #expect(lines[1] == "[3] debian.iso: sent 10 % of 300.0 MiB, 11.2 MiB/s, ETA 16 s")
    #expect(lines.suffix(2) == ["[3] debian.iso: started, 20.0 MiB", "[3] debian.iso: complete, 20.0 MiB in 12 s"])
  }

  @Test(
    arguments: [
      (0, 0, "started, 300.0 MiB"), (0, 150, "started, 300.0 MiB"), (150, 150, "continues at 150.0 MiB of 300.0 MiB"),
      (nil, 150, "under way, 150.0 MiB of 300.0 MiB"), (nil, 0, "started, 300.0 MiB"),
    ] as [(Int64?, Int64, String)])
  func onlyWhatContinuesIsSaidToContinue(start: Int64?, received: Int64, expected: String) {
    var reporter = PlainReporter()
    var item = item(received)
    item.start = start.map { $0 * Samples.mebibyte }
    #expect(reporter.lines(for: [item], now: 0) == ["[3] debian.iso: " + expected])
  }

  @Test(
    arguments: [
      (120, "started, 300.0 MiB, reused 120 of 300 MiB"), (100, "started, 300.0 MiB, reused 120 of 300 MiB"),
      (150, "continues at 150.0 MiB of 300.0 MiB"), (0, "started, 300.0 MiB"),
    ] as [(Int64, String)])
  func bytesOfSeedsAreNoBeginning(start: Int64, expected: String) {
    var reporter = PlainReporter()
    var item = item(start)
    item.start = start * Samples.mebibyte
    item.reused = Reused(bytes: 120 * Samples.mebibyte, size: 300 * Samples.mebibyte)
    #expect(reporter.lines(for: [item], now: 0) == ["[3] debian.iso: " + expected])
  }

  @Test func anAnswerToWhatWasSentDoesNotContinue() {
    var reporter = PlainReporter()
    _ = reporter.lines(for: [item(30, .sending)], now: 0)
    #expect(reporter.lines(for: [item(1, size: 20)], now: 1) == ["[3] debian.iso: started, 20.0 MiB"])
  }

  @Test func aSlowTransferSpeaksEveryHalfMinute() {
    var reporter = PlainReporter()
    let lines = (0...120).flatMap { reporter.lines(for: [item(1, size: nil)], now: Double($0)) }
    #expect(lines.count == 5)
    #expect(lines[0] == "[3] debian.iso: under way, 1.0 MiB of unknown size")
    #expect(lines[1] == "[3] debian.iso: 1.0 MiB of unknown size, 11.2 MiB/s, ETA 16 s")
  }

  @Test func retriesAndEndsSayWhy() {
    var reporter = PlainReporter()
    var lines = reporter.lines(for: [item(150)], now: 0)
    for now in [1.0, 2, 3] {
      lines += reporter.lines(for: [item(150, .retrying, note: "HTTP 503\u{1B}[2J")], now: now)
    }
    lines += reporter.lines(for: [item(150, .interrupted, note: "no network")], now: 9)
    #expect(
      lines == [
        "[3] debian.iso: under way, 150.0 MiB of 300.0 MiB", "[3] debian.iso: retrying: HTTP 503[2J",
        "[3] debian.iso: interrupted: no network",
      ])
    #expect(reporter.lines(for: [item(0, .failed, id: 4)], now: 10) == [])
  }

  @Test func startingOverCountsAgain() {
    var reporter = PlainReporter()
    _ = reporter.lines(for: [item(0)], now: 0)
    _ = reporter.lines(for: [item(240)], now: 1)
    #expect(reporter.lines(for: [item(3)], now: 2) == [])
    #expect(reporter.lines(for: [item(30)], now: 3).count == 1)
  }

  @Test func manyJobsGetASummaryInstead() {
    var reporter = PlainReporter()
    func crowd(_ done: Int) -> [BarItem] {
      (0..<12).map { item(150, $0 < done ? .complete : $0 < 8 ? .active : .queued, id: $0) }
    }
    var lines: [String] = []
    for second in 0..<61 { lines += reporter.lines(for: crowd(second / 30), now: Double(second)) }
    #expect(
      lines == [
        "[0] debian.iso: complete, 150.0 MiB in 30 s",
        "7 active, 4 queued, 1 done, 52 % of 3.3 GiB, 78.4 MiB/s, ETA 22 s",
        "[1] debian.iso: complete, 150.0 MiB in 1:00",
        "6 active, 4 queued, 2 done, 54 % of 3.2 GiB, 67.2 MiB/s, ETA 23 s",
      ])
  }
}
