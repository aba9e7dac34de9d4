// Sequences that make a terminal notify its desktop.

import Testing

@testable import TerminalUI

@Suite("Terminal notification")
struct TerminalNotificationTests {
  static let urxvt = "\u{1B}]777;notify;t;b\u{1B}\\"
  static let iTerm = "\u{1B}]9;t: b\u{1B}\\"

  @Test(
    "the sequence for each terminal",
    arguments: [
      (["TERM": "xterm-256color"], urxvt + iTerm), (["TERM_PROGRAM": "iTerm.app"], iTerm),
      (["TERM_PROGRAM": "WezTerm"], urxvt), (["TERM": "foot"], urxvt),
      (["TERM": "xterm", "VTE_VERSION": "7000"], urxvt),
    ] as [([String: String], String)])
  func sequence(_ environment: [String: String], _ expected: String) {
    #expect(TerminalNotification.sequence(title: "t", body: "b", environment: environment) == expected)
  }

  @Test("no text can end the sequence or begin another (P8)")
  func harmless() {
    let text = TerminalNotification.sequence(
      title: "a;b\u{7}", body: "x\u{1B}\\\u{9C}\n\u{202E}é", environment: ["TERM": "foot"])
    #expect(text == "\u{1B}]777;notify;a,b;x\\é\u{1B}\\")
  }
}
