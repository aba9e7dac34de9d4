// Dates of HTTP (RFC 9110 §5.6.7), and Retry-After: H9 of the cases.

import Foundation
import TestSupport
import Testing

@testable import DrayCore

@Suite struct HTTPDateTests {
  private static let now: Int64 = 1_767_225_600  // 2026-01-01

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 6 nov 1994 08:49:37 gmt", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      // Two-digit years: never more than 50 years after 2026.
      ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ] as [(String, Int64)])
  func read(text: String, expected: Int64) {
    #expect(HTTPDate.parse(text, now: Self.now) == expected)
  }

  @Test(
    arguments: [
      "", "yesterday", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Novel 1994 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 19941 08:49:37 GMT", "Sun Nov 6 08:49:37 94",
      "Sun, 006 Nov 1994 08:49:37 GMT", "784111777",
    ])
  func notDates(text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == nil)
  }

  @Test(
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ] as [(Int64, String)])
  func written(seconds: Int64, expected: String) {
    #expect(HTTPDate.format(seconds) == expected)
  }

  @Test func whatIsWrittenIsReadBack() {
    var random = SplitMix(seed: 3)
    for _ in 0..<5_000 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
    }
  }

  @Test(
    "H9",
    arguments: [
      ("2", 2), (" 120 ", 120), ("0", 0), ("1000000000", RetryAfter.longest),
      ("99999999999999999999", RetryAfter.longest),
      ("Thu, 01 Jan 2026 00:00:07 GMT", 7), ("Wed, 31 Dec 2025 23:59:59 GMT", 0),
      ("Fri, 31 Dec 9999 23:59:59 GMT", RetryAfter.longest), ("soon", nil), ("-2", nil), ("+2", nil), ("2.5", nil),
      ("", nil), ("2s", nil),
    ] as [(String, Int64?)])
  func retryAfter(value: String, expected: Int64?) {
    #expect(RetryAfter.delay(value, now: Self.now) == expected)
  }
}
