// The line of a completed file, in each place where it is read.

import Testing

@testable import TerminalUI

@Suite("Lines of completed files")
struct CompletionLineTests {
  private static let item: BarItem = {
    var item = BarItem(id: 7, name: "big.iso", state: .complete, received: 300 << 20)
    item.link = "file:///d/big.iso"
    return item
  }()

  private func line(_ profile: TerminalProfile, seconds: Double = 12, transferred: Int64 = 300 << 20) -> String {
    CompletionLine.onTerminal(Self.item, seconds: seconds, transferred: transferred, profile: profile)
  }

  @Test("on a terminal: a mark, the name, a rate if there is one")
  func terminal() {
    let plain = TerminalProfile(isInteractive: true, unicode: true)
    #expect(line(plain) == "✓ big.iso  300 MiB in 12 s (25.0 MiB/s)")
    #expect(line(plain, transferred: 0) == "✓ big.iso  300 MiB in 12 s")
    #expect(!line(plain, seconds: 0.05).contains("/s"))
    #expect(line(TerminalProfile(isInteractive: true)).hasPrefix("done: big.iso"))
    #expect(line(TerminalProfile(isInteractive: true, hyperlinks: true)).contains("]8;;file:///d/big.iso"))
  }

  @Test("a compared digest is shown: short above the bars, with its source in a log")
  func verified() {
    var item = Self.item
    item.proof = Proof("sha-256", source: "SHA256\u{1B}SUMS")
    let plain = TerminalProfile(isInteractive: true, unicode: true)
    #expect(
      CompletionLine.onTerminal(item, seconds: 12, transferred: 0, profile: plain)
        == "✓ big.iso  300 MiB in 12 s, sha-256 verified")
    #expect(
      CompletionLine.inLog(item, seconds: 12)
        == "[7] big.iso: complete, sha-256 verified (SHA256SUMS), 300.0 MiB in 12 s")
    item.proof?.source = nil
    #expect(CompletionLine.inLog(item, seconds: nil) == "[7] big.iso: complete, sha-256 verified, 300.0 MiB")
    (item.proof, item.note) = (nil, "sent 3.0 KiB: 201 Created")
    #expect(CompletionLine.inLog(item, seconds: nil) == "[7] big.iso: complete, sent 3.0 KiB: 201 Created")
  }

  @Test("in a log")
  func plain() {
    #expect(CompletionLine.inLog(Self.item, seconds: 12) == "[7] big.iso: complete, 300.0 MiB in 12 s")
    #expect(CompletionLine.inLog(Self.item, seconds: nil) == "[7] big.iso: complete, 300.0 MiB")
  }
}
