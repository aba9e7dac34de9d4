// The Content-Length field: R24 of the cases (RFC 9110 §8.6).

import Testing

@testable import DrayCore

@Suite struct ContentLengthTests {
  @Test(
    "R24",
    arguments: [
      ([], nil), (["0"], 0), (["42"], 42), (["42,42"], 42), (["42 ,\t42"], 42), (["42", "42"], 42), ([" 42 "], 42),
      (["042"], 42), (["9223372036854775807"], .max),
    ] as [([String], Int64?)])
  func accepted(values: [String], expected: Int64?) throws {
    #expect(try ContentLength.parse(values) == expected)
  }

  @Test(
    "R24",
    arguments: [
      ["42,30"], ["42", "30"], ["-5"], ["+42"], ["0x2a"], ["5s"], [""], [" "], ["42,"], [",42"], ["4 2"], ["42;q=1"],
      ["12345678901234567890"], ["9223372036854775808"], ["٤٢"], ["4.2"], ["1e3"], ["42\u{0}"],
    ])
  func refused(values: [String]) throws {
    let error = #expect(throws: ContentLengthError.self) { try ContentLength.parse(values) }
    let message = try #require(error).message
    #expect(message.hasPrefix("Content-Length") && message == TextSafety.escaped(message))
  }
}
