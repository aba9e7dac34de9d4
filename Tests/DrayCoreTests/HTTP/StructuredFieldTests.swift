// Dictionaries of byte sequences in header fields, rule by rule (RFC 9651 §3.2, §4.2.2).

import Testing

@testable import DrayCore

@Suite struct StructuredFieldTests {
  private static func members(_ values: [String]) -> [String] {
    StructuredField.byteSequences(values).map { "\($0.key) \($0.base64)" }
  }

  @Test(
    arguments: [
      (["a=:AA==:"], ["a AA=="]), ([""], []), ([], []), (["  a=:AA==:  "], ["a AA=="]), (["a=::"], ["a "]),
      (["a=:AA==:,b=:AQ==:"], ["a AA==", "b AQ=="]), (["a=:AA==:\t ,\t b=:AQ==:"], ["a AA==", "b AQ=="]),
      // Several fields of one name form one field.
      (["a=:AA==:", "b=:AQ==:"], ["a AA==", "b AQ=="]), (["a=:AA==:", "a=:AQ==:"], ["a AQ=="]),
      // The last value of a key counts, of any type.
      (["a=:AA==:, b=:AQ==:, a=:Ag==:"], ["a Ag==", "b AQ=="]), (["a=:AA==:, a=1"], []), (["a=:AA==:, a"], []),
      // Keys.
      (["*k_-.9*=:AA==:"], ["*k_-.9* AA=="]), (["k9=:AA==:"], ["k9 AA=="]),
      // Parameters of all kinds.
      (["a=:AA==:;q"], ["a AA=="]), (["a=:AA==:;q=1; r=\"x;y,z\";s=?0;t=tok/en:1;u=:AQ==:;v=-1.5"], ["a AA=="]),
      (["a=:AA==:;*x=1"], ["a AA=="]),
      // Members that are not byte sequences.
      (["a, b=:AA==:"], ["b AA=="]), (["a;x=1;y, b=:AA==:"], ["b AA=="]), (["a=1, b=:AA==:"], ["b AA=="]),
      (["a=-0.5, b=:AA==:"], ["b AA=="]), (["a=999999999999999, b=:AA==:"], ["b AA=="]),
      (["a=?1, b=:AA==:"], ["b AA=="]),
      (["a=\"x, \\\"y\\\\\", b=:AA==:"], ["b AA=="]), (["a=tok*en, b=:AA==:"], ["b AA=="]),
      (["a=*, b=:AA==:"], ["b AA=="]),
      (["a=@1659578233, b=:AA==:"], ["b AA=="]), (["a=%\"f%c3%bc\", b=:AA==:"], ["b AA=="]),
      // Inner lists.
      (["a=(1 2), b=:AA==:"], ["b AA=="]), (["a=(), b=:AA==:"], ["b AA=="]), (["a=(  1  2  ), b=:AA==:"], ["b AA=="]),
      (["a=(:AQ==:), b=:AA==:"], ["b AA=="]), (["a=(\"x\";q=1 tok;r);s=2;t, b=:AA==:;p"], ["b AA=="]),
    ] as [([String], [String])])
  func isRead(_ values: [String], _ expected: [String]) { #expect(StructuredFieldTests.members(values) == expected) }

  private static let controls = (UInt8(0)..<0x20).map { String(UnicodeScalar($0)) } + ["\u{7F}"]

  /// An error anywhere voids the whole field.
  @Test(
    arguments: [
      "a=:AA==:,", ",a=:AA==:", "a=:AA==:,,b=:AQ==:", "a=:AA==: b=:AQ==:", "a=:AA==:;b=:AQ==:,", "a=:AA==", "a=:A@==:",
      "a=AA==", "a=:AA==::", "a==:AA==:", "a= :AA==:", "a =:AA==:", "A=:AA==:", "1=:AA==:", "-=:AA==:", "_a=:AA==:",
      "=:AA==:", "a=:AA==:;", "a=:AA==:;Q", "a=:AA==: ;q", "a=:AA==:;q=", "a=:AA==:;q =1", "a=:AA==:\tq",
      "b=, a=:AA==:",
      "b=1., a=:AA==:", "b=1.2345, a=:AA==:", "b=-, a=:AA==:", "b=--1, a=:AA==:", "b=1000000000000000, a=:AA==:",
      "b=1234567890123.1, a=:AA==:", "b=?2, a=:AA==:", "b=?, a=:AA==:", "b=\"x, a=:AA==:", "b=\"\\x\", a=:AA==:",
      "b=\"\u{1}\", a=:AA==:", "b=\"ü\", a=:AA==:", "b='x', a=:AA==:", "b=(1 2, a=:AA==:", "b=(1,2), a=:AA==:",
      "b=1 2), a=:AA==:", "b=(1\t2), a=:AA==:", "b=(1(2)), a=:AA==:", "b=((1)), a=:AA==:", "b=@1.5, a=:AA==:",
      "b=@x, a=:AA==:", "b=%\"%C3%BC\", a=:AA==:", "b=%\"%c3\", a=:AA==:", "b=%x, a=:AA==:", "(1 2)", "ü=:AA==:",
    ] + controls.map { $0 + "a=:AA==:" } + controls.filter { $0 != "\t" }.map { "a=:AA==:,\($0)b=:AQ==:" })
  func isVoid(_ value: String) { #expect(StructuredFieldTests.members([value]) == []) }

  /// A head has room for a dictionary whose naive parse would take minutes (P13).
  @Test func isBounded() {
    let long = "a=:AA==:, " + (0..<100_000).map { "k\($0)" }.joined(separator: ", ")
    #expect(StructuredFieldTests.members([long]) == [])
    #expect(StructuredFieldTests.members(Array(repeating: "a=:AA==:", count: 1000)) == [])
    let most = "a=:AA==:, " + String(repeating: "k,", count: 4000) + "z"
    #expect(most.utf8.count <= StructuredField.limit)
    #expect(StructuredFieldTests.members([most]) == ["a AA=="])
  }
}
