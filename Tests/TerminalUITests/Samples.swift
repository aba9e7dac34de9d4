// Values that several suites share.

import TestSupport

@testable import TerminalUI

enum Samples {
  /// A terminal with Unicode only: texts without codes.
  static let unicode = TerminalProfile(isInteractive: true, unicode: true)
  static let ascii = TerminalProfile(isInteractive: true)
  static let full = TerminalProfile(
    isInteractive: true, color: true, unicode: true, hyperlinks: true, progressReports: true)

  static let mebibyte: Int64 = 1 << 20

  /// A job half-way at 11.2 MiB/s.
  static let active = BarItem(
    id: 1, name: "ubuntu-24.04.1-desktop-amd64.iso", state: .active, received: 135 * mebibyte,
    size: 300 * mebibyte, rate: 11_744_052, eta: 14.7)

  static let names = [
    "a", "debian-12.8.0-amd64-netinst.iso", "日本語のファイル名.tar.gz", "👨‍👩‍👧‍👦 family 🇩🇪 flag.png",
    "e\u{301}te\u{301}.zip", "x\u{1B}[31mred\u{7}.bin", "", "한국어-파일-이름.mkv", "name.with.many.dots.and-no-end",
  ]

  /// Items of every kind, the same for the same seed.
  static func items(_ count: Int, seed: UInt64) -> [BarItem] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { id in
      let sizes: [Int64?] = [nil, 0, 1, 999, 123_456, 300 * mebibyte, 7 << 40, .max]
      let received: [Int64] = [0, 1, 1023, 5 * mebibyte, 301 * mebibyte, 9 << 40, .max, -5]
      let rates: [Double?] = [nil, 0, 0.4, 1000, 12e6, 9e12, .infinity, .nan, -3]
      var item = BarItem(
        id: id, name: random.pick(names), state: random.pick(BarState.allCases),
        received: random.pick(received), size: random.pick(sizes), rate: random.pick(rates),
        eta: random.pick(rates), note: random.pick([nil, "HTTP 503", "ファイル\u{9B}2J", ""]))
      item.link = random.pick([nil, "https://example.org/ä\u{1B}"])
      return item
    }
  }
}

extension String {
  /// The text without SGR and OSC sequences, as a person sees it.
  var visible: String {
    replacing(#/\u{1B}(\[[0-9;]*m|\][^\u{1B}]*\u{1B}\\)/#, with: "")
  }
}
