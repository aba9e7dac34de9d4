// Patterns of `--match`.

import DrayCore
import Testing

@Suite struct TextPatternTests {
  @Test(
    arguments: [
      ("iso", "http://h/Big.ISO", true), ("ISO", "http://h/big.iso", true), ("big", "http://h/small", false),
      ("", "anything", true), ("*.iso", "/d/big.iso", true), ("*.iso", "/d/big.iso.torrent", false),
      ("*debian*", "http://h/debian-12.iso", true), ("big.?so", "big.iso", true), ("big.?so", "bigg.iso", false),
      ("a*b*c", "a1b2b3c", true), ("a*b*c", "a1b2b3", false), ("*", "", true), ("?", "", false), ("é", "CAFÉ", true),
      ("[x]", "a[x]b", true), ("a**c", "abc", true), ("*aab", "aaaaaaaab", true),
    ])
  func matches(pattern: String, text: String, isMatch: Bool) {
    #expect(TextPattern(pattern).matches(text) == isMatch)
  }
}
