// The fields that a resume and a retry hang on: R11, R24 and H9 of the cases.

import Testing

@testable import DrayCore

@Suite struct HTTPFieldTests {
  @Test(
    arguments: [
      (["bytes 0-9/10"], .range(lower: 0, upper: 10, total: 10)),
      (["bytes 5-5/*"], .range(lower: 5, upper: 6, total: nil)),
      (["Bytes 0-9/10"], .range(lower: 0, upper: 10, total: 10)), (["bytes */10"], .unsatisfied(total: 10)),
      (["bytes */0"], .unsatisfied(total: 0)), ([], nil),
      (["bytes 0-9223372036854775806/9223372036854775807"], .range(lower: 0, upper: .max, total: .max)),
      (
        ["bytes 4294967296-5000000000/5000000001"],
        .range(lower: 4_294_967_296, upper: 5_000_000_001, total: 5_000_000_001)
      ),
    ] as [([String], ContentRange?)])
  func contentRanges(values: [String], expected: ContentRange?) throws {
    #expect(try ContentRange.parse(values) == expected)
  }

  @Test(
    arguments: [
      ["bytes 9-5/10"], ["bytes 0-9/5"], ["bytes 0-9/9"], ["bytes */*"], ["bytes 0-9/99999999999999999999"],
      ["bytes 0-99999999999999999999/*"], ["bytes 18446744073709551616-18446744073709551617/*"],
      ["bytes 0-9223372036854775807/*"], ["lines 0-9/10"], ["0-9/10"], ["bytes=0-9/10"], ["bytes 0-9"], ["bytes 0/10"],
      ["bytes -9/10"], ["bytes 0-/10"], ["bytes +0-9/10"], ["bytes 0x0-9/10"], ["bytes 0-9/"], ["bytes 0-9/-10"],
      ["bytes 0-9/10, bytes 0-9/10"], ["bytes 0-9/10;x"], ["bytes"], ["bytes "], [""],
      ["bytes 0-9/10", "bytes 0-9/10"],
      ["bytes 0-9/10/11"], ["bytes ٠-٩/١٠"], ["bytes 0 - 9/10"],
    ])
  func otherContentRangesAreRejected(values: [String]) {
    #expect(throws: ContentRangeError.self) { try ContentRange.parse(values) }
  }

  @Test(
    arguments: [
      ([], nil), (["0"], 0), (["42"], 42), (["42,42"], 42), (["42", "42"], 42), (["42 , 42"], 42), (["042"], 42),
      (["9223372036854775807"], .max),
    ] as [([String], Int64?)])
  func contentLengths(values: [String], expected: Int64?) throws {
    #expect(try ContentLength.parse(values) == expected)
  }

  @Test(
    arguments: [
      ["42,30"], ["42", "30"], ["-5"], ["99999999999999999999"], ["5s"], [""], ["+42"], ["0x2a"], ["4 2"], ["42,"],
      [",42"],
      ["4.2"], ["٤٢"], ["9223372036854775808"], ["42", ""],
    ])
  func otherContentLengthsAreRefused(values: [String]) {
    #expect(throws: ContentLengthError.self) { try ContentLength.parse(values) }
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
      ("Fri, 01 Jan 2100 00:00:00 GMT", 4_102_444_800), ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800),
      ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800), ("Monday, 01-Jan-68 00:00:00 GMT", 3_092_601_600),
      ("Thu, 30 Feb 2024 00:00:00 GMT", nil), ("Wed, 29 Feb 2023 00:00:00 GMT", nil),
      ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 32 Dec 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
      ("Sun, 06 Nov 1994 08:60:00 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
      ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 194 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil), ("784111777", nil), ("", nil), ("now", nil),
      ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil), ("Sun, ٠٦ Nov 1994 08:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func dates(text: String, expected: Int64?) {
    #expect(HTTPDate.parse(text, now: 1_767_225_600) == expected)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
  ])
  func datesAreWritten(seconds: Int64, expected: String) {
    #expect(HTTPDate.format(seconds) == expected)
  }

  /// From the year 1 to the year 9999.
  @Test(arguments: 0..<20)
  func datesComeBack(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds, "\(HTTPDate.format(seconds))")
    }
  }

  @Test(
    arguments: [
      ("2", 2), (" 2 ", 2), ("0", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
      ("1000000000", RetryAfter.longest), ("99999999999999999999", RetryAfter.longest),
      ("Fri, 31 Dec 9999 23:59:59 GMT", RetryAfter.longest), ("-5", nil), ("1.5", nil), ("soon", nil), ("", nil),
      ("2s", nil),
    ] as [(String, Int64?)])
  func retryAfter(value: String, expected: Int64?) {
    #expect(RetryAfter.delay(value, now: 784_111_777) == expected)
  }
}
