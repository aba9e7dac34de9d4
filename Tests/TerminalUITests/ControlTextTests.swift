// Promise P8 at the last step: no text contains a terminal command.

import Testing

@testable import TerminalUI

@Suite struct ControlTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\u{1B}[2Jb", "a[2Jb"), ("a\u{9B}2Jb", "a2Jb"), ("a\r\nb\tc\0", "abc"),
    ("evil\u{202E}gpj.exe", "evilgpj.exe"), ("日本\u{7}語", "日本語"), ("\u{2066}x\u{2028}", "x"),
  ])
  func dropsControls(text: String, expected: String) {
    #expect(ControlText.printable(text) == expected)
  }

  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[39m", "\u{1B}[31mred\u{1B}[39m"),
    ("\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[1;31mred\u{1B}[0m"),
    (
      "\u{1B}]8;;https://e.org\u{1B}\\t\u{1B}]8;;\u{1B}\\",
      "\u{1B}]8;;https://e.org\u{1B}\\t\u{1B}]8;;\u{1B}\\"
    ),
    ("\u{1B}[2Jgone", "[2Jgone"), ("\u{1B}]0;title\u{7}", "]0;title"), ("\u{1B}[31", "[31"), ("\u{1B}", ""),
    ("\u{1B}]8;;x y\u{1B}\\", "]8;;x y\\"), ("\u{1B}P1$r\u{1B}\\", "P1$r\\"), ("up\u{1B}[5A\r", "up[5A"),
  ])
  func messagesKeepStylesAndLinksOnly(text: String, expected: String) {
    #expect(ControlText.styled(text) == expected)
  }
}
