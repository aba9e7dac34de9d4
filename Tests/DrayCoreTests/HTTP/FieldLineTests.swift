// The header fields that a request may carry.

import Testing

@testable import DrayCore

@Suite struct FieldLineTests {
  @Test(
    "lines and their results",
    arguments: [
      ("A: b", .success(HeaderField("A", "b"))), ("A:b", .success(HeaderField("A", "b"))),
      ("A:\t b \t", .success(HeaderField("A", "b"))), ("A:", .success(HeaderField("A", ""))),
      ("a!#$%&'*+-.^_`|~9: b: c", .success(HeaderField("a!#$%&'*+-.^_`|~9", "b: c"))),
      ("A: ü\tb", .success(HeaderField("A", "ü\tb"))), ("Host: h", .success(HeaderField("Host", "h"))),
      ("A b", .failure(.noColon)), ("", .failure(.noColon)), (": b", .failure(.notAName(""))),
      ("A b: c", .failure(.notAName("A b"))), ("A : c", .failure(.notAName("A "))),
      (" A: c", .failure(.notAName(" A"))),
      ("X(y): c", .failure(.notAName("X(y)"))), ("Ü: c", .failure(.notAName("Ü"))),
      ("A\r\nB: c", .failure(.notAName("A\r\nB"))), ("RANGE: x", .failure(.isOwn("RANGE"))),
      ("Proxy-Authorization: x", .failure(.isOwn("Proxy-Authorization"))),
      ("A: b\r\nC: d", .failure(.controlCharacter("A"))), ("A: b\0", .failure(.controlCharacter("A"))),
      ("A: \u{7F}", .failure(.controlCharacter("A"))), ("A:\u{301}b", .success(HeaderField("A", "\u{301}b"))),
    ] as [(String, Result<HeaderField, FieldObjection>)])
  func lines(_ line: String, _ expected: Result<HeaderField, FieldObjection>) {
    let found = Result { () throws(FieldObjection) in try FieldLine.parse(line) }
    #expect(found == expected)
  }

  @Test("a client of the service cannot name another host")
  func clients() {
    #expect(throws: FieldObjection.isOwn("hOst")) { try FieldLine.parse("hOst: h", from: .client) }
  }

  @Test("all names of the list are lowercase, as the comparison requires")
  func folded() { for name in FieldRule.own { #expect(name == name.lowercased() && FieldRule.isToken(name.utf8)) } }
}
