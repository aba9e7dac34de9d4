// Rates by the clock.

import Testing

@testable import DrayCore

@Suite struct RateRuleTests {
  private static let day = "08:00,512k 19:00,10M 23:00,off"
  private static let week = "Mon-00:00,512 Fri-23:59,10M Sat-10:00,1M Sun-20:00,off"
  /// Every day except Sunday.
  private static let mixed = "12:00,1k 18:00,2k Sun-00:00,off Sun-12:00,off Sun-18:00,off Mon-00:00,2k"

  /// 2026-11-21 is a Saturday; moments are local, one hour ahead of UTC.
  @Test(
    arguments: [
      ("512k", "2026-11-21T12:00:00", 512 << 10, nil, nil), ("off", "2026-11-21T12:00:00", nil, nil, nil),
      (day, "2026-11-21T07:00:00", 512 << 10, "2026-11-21T18:00:00", 10 << 20),
      (day, "2026-11-21T17:59:59", 512 << 10, "2026-11-21T18:00:00", 10 << 20),
      (day, "2026-11-21T18:00:00", 10 << 20, "2026-11-21T22:00:00", nil),
      // Past midnight.
      (day, "2026-11-21T23:30:00", nil, "2026-11-22T07:00:00", 512 << 10),
      (day, "2026-11-21T06:59:59", nil, "2026-11-21T07:00:00", 512 << 10),
      (week, "2026-11-21T08:59:59", 10 << 20, "2026-11-21T09:00:00", 1 << 20),
      (week, "2026-11-22T19:00:00", nil, "2026-11-22T23:00:00", 512),
      // All week long.
      (week, "2026-11-26T12:00:00", 512, "2026-11-27T22:59:00", 10 << 20),
      (mixed, "2026-11-21T12:00:00", 1 << 10, "2026-11-21T17:00:00", 2 << 10),
      (mixed, "2026-11-22T12:00:00", nil, "2026-11-22T23:00:00", 2 << 10),
      // A single entry applies always.
      ("tue-12:00,1k", "2026-11-21T12:00:00", 1 << 10, nil, nil),
      // Clocks go forward at 02:00 and back at 03:00.
      ("02:30,1k 04:00,off", "2026-03-29T01:29:59", nil, "2026-03-29T01:30:00", 1 << 10),
      ("02:30,1k 04:00,off", "2026-03-29T01:30:00", 1 << 10, "2026-03-29T02:00:00", nil),
      ("02:30,1k 04:00,off", "2026-10-25T00:30:00", 1 << 10, "2026-10-25T03:00:00", nil),
      ("02:30,1k 04:00,off", "2026-10-25T01:10:00", 1 << 10, "2026-10-25T03:00:00", nil),
      // Two entries at one moment: the later one applies.
      ("00:00,off 02:30,1k 03:30,off 05:00,3k", "2026-03-29T01:00:00", nil, "2026-03-29T03:00:00", 3 << 10),
    ] as [(String, String, Int64?, String?, Int64?)])
  func rates(rule: String, moment: String, rate: Int64?, next: String?, nextRate: Int64?) throws {
    let rule = try RateRule.parse(rule)
    let moment = try utc(moment)
    #expect(rule.rate(at: moment, zone: berlin) == rate)
    let change = rule.nextChange(after: moment, zone: berlin)
    #expect(change?.moment == (try next.map(utc)))
    #expect(change?.rate == nextRate)
    if let change { #expect(rule.rate(at: change.moment, zone: berlin) == nextRate) }
  }

  @Test(
    arguments: [
      "", "0", "-1", "fast", "08:00", "08:00,", ",512k", "08:00,512k,1M", "25:00,1M", "Foo-08:00,1M", "Mon-,1M",
      "08:00,0", "08:00,1k 08:00,2k", "Mon-08:00,1k mon-08:00,2k", "08:00,1k,", "08:00-1k",
    ])
  func noRule(text: String) {
    #expect(throws: QuantityParseError.self) { try RateRule.parse(text) }
  }

  @Test func spacesAndLettersDoNotMatter() throws {
    #expect(try RateRule.parse(" 08:00,512K\t\n19:00,OFF ") == (try RateRule.parse("8:00,512k 19:00:00,off")))
  }
}
