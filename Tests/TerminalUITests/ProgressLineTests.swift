// Lines of jobs: their content at each width, and that nothing breaks them.

import Testing

@testable import TerminalUI

@Suite struct ProgressLineTests {
  private func line(
    _ item: BarItem, _ width: Int, frame: Int = 0, profile: TerminalProfile = Samples.unicode
  ) -> String {
    ProgressLine.draw(item, layout: LineLayout(width: width, items: [item]), frame: frame, profile: profile)
      .text
  }

  @Test(arguments: [
    (
      120,
      "1  ubuntu-24.04.1-desktop-amd64.iso  ▕███████████████▊                   ▏   45 %    135/300 MiB  11.2 MiB/s  ETA 15 s"
    ),
    (80, "1  ubuntu-24…amd64.iso  ▕███▌    ▏   45 %    135/300 MiB  11.2 MiB/s  ETA 15 s"),
    (60, "1  ubuntu-24…-amd64.iso  ▕██████▎       ▏   45 %  11.2 MiB/s"),
    (50, "1  ubuntu-…md64.iso  ▕███▌    ▏   45 %  11.2 MiB/s"),
    (40, "1  ubuntu-2…amd64.iso   45 %  11.2 MiB/s"),
    (20, "ubuntu…d64.iso  45 %"), (9, "u…o  45 %"), (8, " 45 %"), (4, "45 %"), (1, "4"), (0, ""),
  ])
  func detailsDropOutAsTheWindowNarrows(width: Int, expected: String) {
    #expect(line(Samples.active, width) == expected)
  }

  @Test func whatIsSentHasAnArrow() {
    var item = Samples.active
    (item.state, item.name) = (.sending, "up.iso")
    #expect(line(item, 70).hasPrefix("1  ↑ up.iso  ▕"))
    #expect(line(item, 70).hasSuffix("   45 %    135/300 MiB  11.2 MiB/s  ETA 15 s"))
    #expect(line(item, 70, profile: Samples.ascii).hasPrefix("1  ^ up.iso  ["))
    // Sent bytes are not part of any file.
    let totals = Totals([item])
    #expect(totals.received == 0 && totals.knownSize == 0 && totals.unknownSizes == 1 && totals.active == 1)
  }

  @Test func severalConnectionsAreCounted() {
    var item = Samples.active
    item.connections = 8
    #expect(line(item, 100).hasSuffix("11.2 MiB/s  ETA 15 s    ×8"))
    #expect(line(item, 100, profile: Samples.ascii).hasSuffix("ETA 15 s    x8"))
    #expect(line(item, 60).hasSuffix("11.2 MiB/s"))
    (item.eta, item.connections) = (nil, 16)
    #expect(line(item, 100).hasSuffix("11.2 MiB/s              ×16"))
  }

  @Test func asciiBars() {
    #expect(
      line(Samples.active, 60, profile: Samples.ascii)
        == "1  ubuntu-2...amd64.iso  [######--------]   45 %  11.2 MiB/s")
  }

  @Test func columnsGoInTheirOrderAndNeverComeBack() {
    var seen: [[Bool]] = []
    for width in (0...200).reversed() {
      let layout = LineLayout(
        width: width, longestName: 60, showsConnections: true, longestID: 3, showsElapsed: true, longestHost: 9)
      let shown = [
        layout.host, layout.elapsed, layout.connections, layout.eta, layout.bytes, layout.bar, layout.id, layout.rate,
        layout.name,
      ].map { $0 > 0 }
      if shown != seen.last { seen.append(shown) }
    }
    #expect(seen == (0...9).map { gone in (0..<9).map { $0 >= gone } })
  }

  @Test(
    arguments: [
      (BarState.queued, nil, "queued"), (.connecting, nil, "connecting"), (.verifying, nil, "checking"),
      (.retrying, "in 12 s: 503", "retry in 12 s: 503"), (.paused, nil, "paused"),
      (.failed, "404", "failed: 404"), (.interrupted, nil, "interrupted"), (.complete, nil, "complete"),
    ] as [(BarState, String?, String)])
  func theStateStandsWhereTheRateWas(state: BarState, note: String?, expected: String) {
    var item = Samples.active
    (item.state, item.note) = (state, note)
    let text = line(item, 80)
    #expect(text.hasSuffix(" " + expected))
    // A job that ended without a file has no bar; a reason to wait has its room in a narrow window.
    let start = state == .failed ? "failed" : state == .retrying ? "45 %, retry" : "▕"
    #expect(text.hasPrefix("1  ubuntu-24…amd64.iso  \(start)"))
  }

  @Test(arguments: [BarState.queued, .retrying, .paused, .interrupted])
  func whatHasNothingYetHasNoBarButRoomForItsReason(state: BarState) {
    let item = BarItem(id: 12, name: "f.iso", state: state, note: "in 8 s: the server answered 503")
    let text = line(item, 80)
    #expect(text.hasPrefix("12  f.iso  \(state == .retrying ? "retry in" : state.rawValue)") && text.hasSuffix("503"))
    #expect(line(item, 40).hasPrefix("12  f.iso"))
  }

  @Test func aWideWindowHasALongerBarAndMoreColumns() {
    var item = Samples.active
    (item.connections, item.elapsed, item.host) = (4, 65, "example.org")
    let wide = line(item, 200)
    #expect(wide.hasSuffix("11.2 MiB/s  ETA 15 s    ×4     1:05  example.org") && DisplayWidth.of(wide) <= 200)
    #expect(wide.contains("▕" + String(repeating: "█", count: 28)))
    // The first columns to go are the time and the host.
    #expect(line(item, 100).hasSuffix("11.2 MiB/s  ETA 15 s    ×4"))
  }

  @Test(arguments: [
    (20, "ubuntu…d64.iso retry"), (5, "retry"),
  ])
  func aNarrowLineStillTellsTheState(width: Int, expected: String) {
    var item = Samples.active
    item.state = .retrying
    #expect(line(item, width) == expected)
  }

  @Test func anUnknownSizeHasNoPercentAndAMovingBar() {
    var item = Samples.active
    (item.size, item.eta) = (nil, nil)
    let frames = (0..<12).map { line(item, 80, frame: $0) }
    #expect(frames[0] == "1  ubuntu-24…amd64.iso  ▕██      ▏               135 MiB  11.2 MiB/s")
    #expect(frames[3] == "1  ubuntu-24…amd64.iso  ▕   ██   ▏               135 MiB  11.2 MiB/s")
    #expect(frames[9] == frames[3])
    #expect(Set(frames).count == 7)
    #expect(line(item, 20) == "ubuntu…d64.iso  135M")
  }

  @Test(
    arguments: [
      (0, 300, BarState.active, 0), (299, 300, .active, 99), (300, 300, .active, 99),
      (301, 300, .verifying, 99),
      (.max, 1, .active, 99), (300, 300, .complete, 100), (7, 300, .complete, 100), (5, 0, .active, 0),
      (0, 0, .complete, 100), (-5, 300, .active, 0), (29, 100, .active, 29),
    ] as [(Int64, Int64, BarState, Int)])
  func hundredPercentIsSaidOfWhatIsComplete(received: Int64, size: Int64, state: BarState, percent: Int) {
    let item = BarItem(id: 1, name: "x", state: state, received: received, size: size)
    #expect(item.percent == percent)
    #expect(line(item, 80).contains(" \(percent) % "))
  }

  @Test(
    arguments: [
      (0, "▕        ▏"), (1.0 / 64, "▕▏       ▏"), (0.5, "▕████    ▏"), (0.95, "▕███████▌▏"),
      (0.9999, "▕███████▉▏"),
      (1, "▕████████▏"), (7, "▕████████▏"), (.nan, "▕        ▏"), (-1, "▕        ▏"),
    ] as [(Double, String)])
  func barsFillInEighths(fraction: Double, expected: String) {
    #expect(Bar.determinate(fraction, width: 10, unicode: true) == expected)
  }

  @Test func coloursAreSober() {
    let text = line(Samples.active, 80, profile: Samples.full)
    #expect(text.contains("\u{1B}[36m▕███▌    ▏\u{1B}[39m"))
    #expect(text.contains("\u{1B}[2mETA 15 s\u{1B}[22m"))
    #expect(text.visible == line(Samples.active, 80))
  }

  @Test(arguments: 1...200)
  func noLineIsEverWiderThanTheWindow(width: Int) {
    let items = Samples.items(40, seed: UInt64(width))
    for profile in [Samples.unicode, Samples.ascii, Samples.full] {
      for height in [1, 2, 3, 10, 60] {
        let lines = BarsFrame.draw(items: items, width: width, height: height, frame: width, profile: profile)
        #expect(lines.count <= max(1, height - 1))
        for line in lines {
          #expect(DisplayWidth.of(line.text.visible) == line.width)
          #expect(line.width <= width, "\(line.text)")
          #expect(ControlText.styled(line.text) == line.text)
        }
      }
    }
  }
}
