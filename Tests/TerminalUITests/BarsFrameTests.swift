// Whole frames: the jobs that they show, the count of the rest, and the total.

import Testing

@testable import TerminalUI

@Suite struct BarsFrameTests {
  private func items(_ count: Int, _ state: BarState, from id: Int = 1) -> [BarItem] {
    (0..<count).map {
      BarItem(
        id: id + $0, name: "file-\(id + $0)", state: state, received: 50 * Samples.mebibyte,
        size: 100 * Samples.mebibyte, rate: state == .active ? 1_048_576 : nil)
    }
  }

  private func frame(_ items: [BarItem], width: Int = 100, height: Int = 24) -> [String] {
    BarsFrame.draw(items: items, width: width, height: height, profile: Samples.unicode).map(\.text)
  }

  @Test func oneJobHasNoTotal() {
    #expect(frame([Samples.active]).count == 1)
  }

  @Test func allJobsKeepTheirLinesWhereTheyFit() {
    let lines = frame(items(2, .complete) + items(3, .active, from: 3) + items(4, .queued, from: 6))
    #expect(lines.count == 10)
    #expect(lines[0].hasPrefix("1  file-1  ▕"))
    #expect(lines[0].hasSuffix("complete"))
    #expect(lines[9] == "3 active · 4 queued · 2 done   56 %  450/800 MiB  3.0 MiB/s  ETA 2:00")
  }

  @Test func onlyLiveJobsAreShownWhereNotAllFit() {
    let lines = frame(items(30, .complete) + items(3, .active, from: 31) + items(500, .queued, from: 34))
    #expect(lines.count == 4)
    #expect(lines.dropLast().map { $0.prefix(11) } == ["31  file-31", "32  file-32", "33  file-33"])
  }

  @Test func whatDoesNotFitIsCounted() {
    let lines = frame(items(300, .active))
    #expect(lines.count == 21)
    #expect(lines[19] == "… and 281 more active")
    #expect(lines[20].hasPrefix("300 active   50 %"))

    let low = frame(items(300, .active), height: 6)
    #expect(low.count == 5)
    #expect(low[3] == "… and 297 more active")
  }

  @Test func oneThatSeveralConnectionsFetchShowsItsParts() {
    var job = Samples.active
    job.map = FileMap(size: 100, done: [0..<20], fetching: [20..<60, 60..<100])
    let lines = frame([job], width: 60)
    #expect(lines.count == 2 && lines[1].hasPrefix("   ▕█") && lines[1].hasSuffix("░▏"))
    #expect(DisplayWidth.of(lines[1]) == 60)
    // No parts without room, among other jobs, or for a single connection.
    #expect(frame([job], height: 4).count == 1 && frame([job], width: 40).count == 1)
    #expect(frame([job] + items(1, .active, from: 2)).count == 3)
    job.map?.fetching.removeLast()
    #expect(frame([job]).count == 1)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 3)])
  func aLowWindowKeepsTheTotal(height: Int, count: Int) {
    let lines = frame(items(300, .active), height: height)
    #expect(lines.count == count)
    #expect(lines.last?.hasPrefix("300 active") == true)
  }

  @Test func unknownSizesMakeTheTotalALowerBound() {
    var jobs = items(2, .active)
    jobs[1].size = nil
    #expect(frame(jobs).last == "2 active   100/≥150 MiB  2.0 MiB/s")
    let ascii = BarsFrame.draw(items: jobs, width: 100, height: 24, profile: Samples.ascii)
    #expect(ascii.last?.text == "2 active   100/>=150 MiB  2.0 MiB/s")
  }

  @Test func aFailedJobLeavesTheTotal() {
    let totals = Totals(items(1, .active) + items(1, .failed, from: 2))
    #expect(totals.knownSize == 100 * Samples.mebibyte)
    #expect(totals.failed == 1)
    #expect(totals.percent == 50)
  }

  @Test func totalsReachHundredOnlyAtTheEnd() {
    #expect(Totals(items(3, .complete)).percent == 100)
    var nearly = items(1, .active)
    nearly[0].received = 100 * Samples.mebibyte
    #expect(Totals(nearly).percent == 99)
    #expect(Totals([]).percent == nil)
  }

  @Test func sumsOfAbsurdSizesDoNotTrap() {
    let absurd = (1...3).map {
      BarItem(id: $0, name: "x", state: .active, received: .max, size: .max, rate: .infinity)
    }
    #expect(Totals(absurd).knownSize == .max)
    #expect(frame(absurd).count == 4)
  }

  @Test(arguments: [
    (70, "3 active · 1 queued · 1 failed   50 %  200/400 MiB  3.0 MiB/s"),
    (60, "3 active · 1 queued · 1 failed   50 %  3.0 MiB/s"), (44, "3 active · 1 queued · 1 failed   50 %"),
    (34, "3 active · 1 queued · 1 failed"), (25, "3 active · 1 queued"), (8, "3 active"), (4, "3 a…"),
  ])
  func theTotalNarrowsToo(width: Int, expected: String) {
    let totals = Totals(items(3, .active) + items(1, .queued, from: 4) + items(1, .failed, from: 5))
    #expect(TotalLine.draw(totals, width: width, profile: Samples.unicode).text == expected)
  }

  @Test(arguments: [
    (100, "  200/400 MiB  3.0 MiB/s  limit 4.0 MiB/s"), (55, "50 %  3.0 MiB/s  limit 4.0 MiB/s"),
    (53, "50 %  3.0 MiB/s"),
  ])
  func theTotalNamesTheLimit(width: Int, end: String) {
    var totals = Totals(items(3, .active) + items(1, .queued, from: 4))
    totals.limit = 4 << 20
    totals.eta = nil
    #expect(TotalLine.draw(totals, width: width, profile: Samples.unicode).text.hasSuffix(end))
  }

  @Test func aLimitIsNamedWithOneJobToo() {
    let one = items(1, .active)
    var totals = Totals(one)
    func last() -> String {
      BarsFrame.draw(items: one, totals: totals, width: 80, height: 24, profile: Samples.unicode).last?.text ?? ""
    }
    #expect(!last().contains("1 active"))
    totals.limit = 4 << 20
    #expect(last().hasPrefix("1 active") && last().contains("limit 4.0 MiB/s"))
    let none = BarsFrame.draw(items: [], totals: totals, width: 80, height: 24, profile: Samples.unicode)
    #expect(none.isEmpty)
  }

  @Test func theTerminalsOwnIndicator() {
    #expect(TaskbarProgress(Totals(items(2, .active))) == .normal(50))
    #expect(TaskbarProgress(Totals(items(2, .active) + items(1, .failed, from: 3))) == .error(50))
    #expect(TaskbarProgress(Totals(items(2, .paused))) == .paused(50))
    #expect(TaskbarProgress(Totals([BarItem(id: 1, name: "x", state: .active)])) == .indeterminate)
    #expect(TaskbarProgress.normal(50).sequence == "\u{1B}]9;4;1;50\u{1B}\\")
  }
}
