// Timetables of the API as rules of runners, and back.

import DrayCore
import Testing

@testable import DrayServer

@Suite("limits of the API")
struct LimitsRuleTests {
  typealias Entry = LimitsOrder.Entry

  /// The rate at a time in the first whole week of 1970.
  private func rate(_ text: String?, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Int64? {
    guard let text else { return nil }
    return try RateRule.parse(text).rate(at: Double((4 + day) * 86_400 + hour * 3600 + minute * 60), zone: .utc)
  }

  @Test(
    arguments: [(nil, nil), ("", nil), ("off", nil), ("500k", "500k"), ("2M", "2M"), ("1024", "1k"), ("1000", "1000")]
      as [(String?, String?)])
  func withoutTimetable(_ given: String?, _ text: String?) throws {
    #expect(try LimitsRule(LimitsOrder(overallRate: given)).text == text)
  }

  @Test func workingDays() throws {
    let rule = try LimitsRule(
      LimitsOrder(overallRate: "10M", timetable: [Entry(from: "08:00", to: "18:30", days: "mon-fri", rate: "1M")]))
    #expect(try rate(rule.text, 0, 7, 59) == 10 << 20)
    #expect(try rate(rule.text, 0, 8) == 1 << 20)
    #expect(try rate(rule.text, 4, 18, 29) == 1 << 20)
    #expect(try rate(rule.text, 4, 18, 30) == 10 << 20)
    #expect(try rate(rule.text, 5, 12) == 10 << 20)
  }

  /// Past midnight, and past the end of the week; the first entry wins; null is no limit.
  @Test func nightsAndOverlaps() throws {
    let rule = try LimitsRule(
      LimitsOrder(
        overallRate: "1M",
        timetable: [
          Entry(from: "23:00", to: "06:00", days: "sun", rate: nil),
          Entry(from: "22:00", to: "00:00", days: "sat-sun", rate: "2M"),
        ]))
    #expect(try rate(rule.text, 6, 22, 30) == 2 << 20)
    #expect(try rate(rule.text, 6, 23) == nil)
    #expect(try rate(rule.text, 0, 5, 59) == nil)
    #expect(try rate(rule.text, 0, 6) == 1 << 20)
    #expect(try rate(rule.text, 5, 23, 59) == 2 << 20)
    #expect(try rate(rule.text, 6, 0) == 1 << 20)
  }

  @Test func allDay() throws {
    let entry = Entry(from: "00:00", to: "00:00", days: "mon-sun", rate: "1M")
    #expect(try LimitsRule(LimitsOrder(overallRate: "9M", timetable: [entry])).text == "1M")
    #expect(
      try LimitsRule(LimitsOrder(timetable: [Entry(from: "10:00", to: "10:00", days: "mon-sun", rate: nil)])).text
        == nil)
  }

  @Test(
    arguments: [
      (Entry(from: "8:00", to: "09:00", days: "mon", rate: nil), "timetable[0].from is not a time"),
      (Entry(from: "08:00", to: "24:00", days: "mon", rate: nil), "timetable[0].to is not a time"),
      (Entry(from: "08:00", to: "-9:00", days: "mon", rate: nil), "timetable[0].to is not a time"),
      (Entry(from: "08:00", to: "09:00", days: "monday", rate: nil), "timetable[0].days are not days"),
      (Entry(from: "08:00", to: "09:00", days: "", rate: nil), "are not days"),
      (Entry(from: "08:00", to: "09:00", days: "mon-tue-wed", rate: nil), "are not days"),
      (Entry(from: "08:00", to: "09:00", days: "mon,", rate: nil), "are not days"),
      (Entry(from: "08:00", to: "09:00", days: "mon", rate: "fast"), "timetable[0].rate:"),
      (Entry(from: "08:00", to: "09:00", days: "mon", rate: "0"), "timetable[0].rate: a rate of 0"),
    ])
  func mistakes(_ entry: Entry, _ words: String) {
    let failure = #expect(throws: APIFailure.self) { try LimitsRule(LimitsOrder(timetable: [entry])) }
    #expect(failure?.message.contains(words) ?? false, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    ("mon-fri,sun", [0, 1, 2, 3, 4, 6]), ("Sat-Mon", [0, 5, 6]), ("tue", [1]), ("tue,tue-wed", [1, 2]),
  ])
  func days(_ text: String, _ days: [Int]) throws { #expect(try LimitsRule.days(text, "") == days) }

  /// Limits set by `dray limit` are read as equal limits.
  @Test(arguments: [
    nil, "off", "500k", "08:00,512k 19:00,10M 23:00,off", "Sat-10:00,off Mon-08:00,1M", "Mon-08:00,512k 09:30,2M",
  ])
  func back(_ text: String?) throws {
    let limits = LimitsRule.limits(of: text, jobs: 3)
    #expect(limits.jobs == 3)
    let again = try LimitsRule(limits).text
    for day in 0..<7 { for hour in 0..<24 { #expect(try rate(again, day, hour, 31) == rate(text, day, hour, 31)) } }
  }

  @Test func backInFewWords() {
    let limits = LimitsRule.limits(of: "08:00,512k 19:00,off", jobs: nil)
    #expect(limits.timetable == [Entry(from: "08:00", to: "19:00", days: "mon-sun", rate: "512k")])
    #expect(limits.overallRate == nil && limits.jobs == nil)
  }
}
