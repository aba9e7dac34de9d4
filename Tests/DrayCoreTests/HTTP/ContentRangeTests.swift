// The Content-Range field: R10 and R11 of the cases (RFC 9110 §14.4).

import Testing

@testable import DrayCore

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-0/1", .range(lower: 0, upper: 1, total: 1)), ("bytes 5-9/10", .range(lower: 5, upper: 10, total: 10)),
      ("BYTES 5-9/*", .range(lower: 5, upper: 10, total: nil)),
      (" bytes 0-4/10 ", .range(lower: 0, upper: 5, total: 10)),
      ("bytes */10", .unsatisfied(total: 10)), ("bytes */0", .unsatisfied(total: 0)),
      ("bytes 0-9223372036854775806/*", .range(lower: 0, upper: .max, total: nil)),
      ("bytes 4294967296-8589934591/1099511627776", .range(lower: 1 << 32, upper: 1 << 33, total: 1 << 40)),
    ] as [(String, ContentRange)])
  func wellFormed(value: String, expected: ContentRange) throws {
    #expect(try ContentRange.parse([value]) == expected)
  }

  @Test("R10") func absent() throws {
    #expect(try ContentRange.parse([]) == nil)
  }

  @Test(
    "R11",
    arguments: [
      "bytes 9-5/10", "bytes 0-9/5", "bytes 0-10/10", "bytes 0-0/0", "bytes */*", "items 0-9/10", "0-9/10", "bytes",
      "bytes ", "", "bytes 0-9", "bytes 0-/10", "bytes -9/10", "bytes 0-9/", "bytes 0-9/10/10", "bytes 0-9-9/10",
      "bytes 0--9/10", "bytes +0-9/10", "bytes 0x0-9/10", "bytes 0 - 9/10", "bytes=0-9/10", "bytes: 0-9/10",
      "bytes 0-9/10, bytes 0-9/10", "bytes 0-9223372036854775807/*", "bytes 0-9/9223372036854775808",
      "bytes 99999999999999999999-99999999999999999999/*", "bytes ٠-٩/١٠", "bytes 0-9/10\u{1B}[2J",
    ])
  func malformed(value: String) throws {
    let error = #expect(throws: ContentRangeError.self) { try ContentRange.parse([value]) }
    let message = try #require(error).message
    #expect(message == TextSafety.escaped(message))
  }

  @Test("R11") func twice() {
    #expect(throws: ContentRangeError(message: "Content-Range occurs 2 times")) {
      try ContentRange.parse(["bytes 0-9/10", "bytes 0-9/10"])
    }
  }
}
