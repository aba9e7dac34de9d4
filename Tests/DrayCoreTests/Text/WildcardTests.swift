// Texts with wildcards.

import Testing

@testable import DrayCore

@Suite struct WildcardTests {
  @Test(
    arguments: [
      ("iso", "http://h/Big.ISO", true), ("ISO", "http://h/big.iso", true), ("big", "http://h/small", false),
      ("", "anything", true), ("*.iso", "/d/big.iso", true), ("*.iso", "/d/big.iso.torrent", false),
      ("*debian*", "http://h/debian-12.iso", true), ("big.?so", "big.iso", true), ("big.?so", "bigg.iso", false),
      ("a*b*c", "a1b2b3c", true), ("a*b*c", "a1b2b3", false), ("*", "", true), ("?", "", false), ("é", "CAFÉ", true),
      ("[x]", "a[x]b", true), ("a**c", "abc", true), ("*aab", "aaaaaaaab", true),
    ])
  func search(pattern: String, text: String, isMatch: Bool) {
    #expect(Wildcard(search: pattern).matches(text) == isMatch)
  }

  @Test(arguments: [
    ("b", "b", true), ("b", "abc", false), ("B*", "bc", false), ("b?", "bü", true), ("", "", true), ("", "a", false),
    ("*", "", true), ("*b", "aab", true),
  ])
  func whole(pattern: String, text: String, isMatch: Bool) {
    #expect(Wildcard(pattern).matches(text) == isMatch)
  }

  @Test("many stars take no time that grows with their number")
  func stars() {
    #expect(!Wildcard(String(repeating: "*a", count: 500) + "b").matches(String(repeating: "a", count: 4000)))
  }
}
