// Names that need no trial, and the messages on refused names (D9).

import DrayCore
import Testing

@Suite struct NameObjectionTests {
  @Test(arguments: [
    ("a.iso", true), ("file_1-2.tar.gz", true), (".hidden", true), ("a:b.iso", false), ("a b", false), ("ü", false),
    ("a.", false),
    ("con.txt", false), (String(repeating: "a", count: 121), false), ("a?b", false),
  ])
  func plainNames(_ name: String, _ expected: Bool) { #expect(NameObjection.isPlain(name) == expected) }

  @Test(arguments: [
    ("a:b.iso", false, "allows no ':' in a name", "a_b.iso"), ("a:b?c:d", false, "no ':', '?' in", "a_b_c_d"),
    ("grün.txt", false, "no 'ü' in", "gr_n.txt"), ("nul.txt", false, "does not allow this name", "_nul.txt"),
    (
      String(repeating: "a", count: 150) + ".iso", true, "no name of 154 bytes",
      String(repeating: "a", count: 116) + ".iso"
    ),
  ])
  func whatIsSaid(_ name: String, _ isTooLong: Bool, _ reason: String, _ suggestion: String) {
    let objection = NameObjection(to: name, isTooLong: isTooLong)
    #expect(objection.reason.contains(reason))
    #expect(objection.suggestion == suggestion)
  }
}
