// The abilities of each terminal, decided from the environment alone.

import Testing

@testable import TerminalUI

@Suite struct TerminalProfileTests {
  private static let modern = ["TERM": "xterm-256color", "LANG": "en_US.UTF-8"]

  private func profile(_ extra: [String: String], isTTY: Bool = true) -> TerminalProfile {
    .detect(isTTY: isTTY, environment: Self.modern.merging(extra) { $1 })
  }

  @Test func anOrdinaryTerminalHasBarsColourAndUnicode() {
    #expect(
      profile([:])
        == TerminalProfile(isInteractive: true, color: true, unicode: true))
  }

  @Test(arguments: [["CI": "true"], ["TERM": "dumb"], ["TERM": ""]])
  func plainLines(extra: [String: String]) {
    #expect(profile(extra) == TerminalProfile(unicode: true))
  }

  @Test func noTerminalMeansPlainLinesWhateverElseIsSet() {
    #expect(profile(["WT_SESSION": "1"], isTTY: false) == TerminalProfile(unicode: true))
    #expect(TerminalProfile.detect(isTTY: true, environment: [:]) == TerminalProfile())
  }

  @Test func noColorCountsOnlyWhenNotEmpty() {
    #expect(!profile(["NO_COLOR": "1"]).color)
    #expect(profile(["NO_COLOR": ""]).color)
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "C"], false), ([:], false),
    (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true), (["LANG": "C.UTF-8", "LC_ALL": "C"], false),
    (["LANG": "C.UTF-8", "LC_ALL": ""], true),
  ])
  func unicodeFollowsTheLocale(environment: [String: String], expected: Bool) {
    let profile = TerminalProfile.detect(
      isTTY: true, environment: environment.merging(["TERM": "xterm"]) { $1 })
    #expect(profile.unicode == expected)
    #expect(profile.ellipsis == (expected ? "…" : "..."))
  }

  @Test(arguments: [
    (["WT_SESSION": "x"], true, true), (["ConEmuANSI": "ON"], true, true),
    (["TERM_PROGRAM": "WezTerm"], true, true), (["TERM_PROGRAM": "ghostty"], true, true),
    (["TERM": "xterm-ghostty"], true, true), (["TERM_PROGRAM": "vscode"], true, true),
    (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"], true, true),
    (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.10.0beta1"], true, true),
    (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.5"], true, false),
    (["TERM_PROGRAM": "iTerm.app"], true, false), (["TERM_PROGRAM": "Apple_Terminal"], false, false),
    (["VTE_VERSION": "8001"], true, true), (["VTE_VERSION": "7006"], true, false),
    (["VTE_VERSION": "4999"], false, false), (["VTE_VERSION": "?"], false, false),
    (["KONSOLE_VERSION": "250401"], true, true), (["KONSOLE_VERSION": "220400"], true, false),
    (["TERM": "xterm-kitty"], true, false), (["TERM": "alacritty"], true, false),
    (["WT_SESSION": "x", "TMUX": "/tmp/t"], false, false),
    (["TERM_PROGRAM": "WezTerm", "TERM": "screen-256color"], false, false),
    (["TERM_PROGRAM": "ghostty", "ZELLIJ": "0"], false, false),
  ])
  func linksAndProgressOnlyWhereKnown(extra: [String: String], links: Bool, progress: Bool) {
    #expect(profile(extra).hyperlinks == links)
    #expect(profile(extra).progressReports == progress)
  }

  @Test func xtermDoesNotReflow() {
    #expect(!profile(["XTERM_VERSION": "XTerm(390)"]).reflows)
    #expect(profile([:]).reflows)
  }

  @Test func stylesAreOffWithoutTheCapability() {
    let off = Style(Samples.unicode)
    #expect(off.red(off.hyperlink("x", "https://e.org")) == "x")
    let on = Style(Samples.full)
    #expect(on.bold(on.red("x")) == "\u{1B}[1m\u{1B}[31mx\u{1B}[39m\u{1B}[22m")
    #expect(on.green("") == "")
  }

  @Test func linksCannotBeEscapedFrom() {
    let link = Style(Samples.full).hyperlink("x", "https://e.org/ä\u{1B}\\\u{7}")
    #expect(link == "\u{1B}]8;;https://e.org/%C3%A4%1B\\%07\u{1B}\\x\u{1B}]8;;\u{1B}\\")
    #expect(ControlText.styled(link) == link)
  }
}
