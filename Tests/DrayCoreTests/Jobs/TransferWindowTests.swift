// Windows by the clock, and the effect of clock changes.

import Testing

@testable import DrayCore

@Suite struct TransferWindowTests {
  private static let night = "22:00-06:00"
  private static let week = "Mon-Fri 22:00-06:00 Sat,Sun"

  /// 2026-11-21 is a Saturday; moments are UTC, one hour behind the zone.
  @Test(
    arguments: [
      ("01:00-07:00", "2026-11-21T00:00:00", true, "2026-11-21T06:00:00"),
      ("01:00-07:00", "2026-11-21T05:59:59", true, "2026-11-21T06:00:00"),
      ("01:00-07:00", "2026-11-21T06:00:00", false, "2026-11-22T00:00:00"),
      // Over midnight, every day.
      (night, "2026-11-21T20:59:59", false, "2026-11-21T21:00:00"),
      (night, "2026-11-21T21:00:00", true, "2026-11-22T05:00:00"),
      (night, "2026-11-22T04:00:00", true, "2026-11-22T05:00:00"),
      // Friday's night ends on Saturday, which is open all day, as is Sunday; Monday begins at 22:00.
      (week, "2026-11-20T21:00:00", true, "2026-11-22T23:00:00"),
      (week, "2026-11-22T23:00:00", false, "2026-11-23T21:00:00"),
      (week, "2026-11-26T12:00:00", false, "2026-11-26T21:00:00"),
      ("Tue", "2026-11-21T12:00:00", false, "2026-11-23T23:00:00"),
      ("Sat 10:00-12:00,14:00-15:00", "2026-11-21T11:00:00", false, "2026-11-21T13:00:00"),
      ("Sat 10:00-12:00,14:00-15:00", "2026-11-21T14:00:00", false, "2026-11-28T09:00:00"),
      // Saturday night is Sunday's morning.
      ("Sat 22:00-02:00", "2026-11-22T00:30:00", true, "2026-11-22T01:00:00"),
      ("Sun 22:00-02:00", "2026-11-22T00:30:00", false, "2026-11-22T21:00:00"),
      // Clocks go forward at 02:00 to 03:00: half of the hour is left, or nothing.
      ("02:30-03:30", "2026-03-29T00:59:59", false, "2026-03-29T01:00:00"),
      ("02:30-03:30", "2026-03-29T01:00:00", true, "2026-03-29T01:30:00"),
      ("02:00-03:00", "2026-03-29T00:59:59", false, "2026-03-30T00:00:00"),
      ("Sun 02:15-02:45", "2026-03-28T12:00:00", false, "2026-04-05T00:15:00"),
      ("01:00-07:00", "2026-03-29T00:30:00", true, "2026-03-29T05:00:00"),
      // Clocks go back at 03:00 to 02:00: the hour from 02:00 comes twice.
      ("02:00-03:00", "2026-10-25T00:00:00", true, "2026-10-25T02:00:00"),
      ("01:00-02:30", "2026-10-25T00:15:00", true, "2026-10-25T00:30:00"),
      ("01:00-02:30", "2026-10-25T00:30:00", false, "2026-10-25T01:00:00"),
      ("01:00-02:30", "2026-10-25T01:00:00", true, "2026-10-25T01:30:00"),
    ] as [(String, String, Bool, String)])
  func openings(text: String, moment: String, isOpen: Bool, change: String) throws {
    let window = try TransferWindow.parse(text)
    let (moment, change) = (try utc(moment), try utc(change))
    #expect(window.isOpen(at: moment, zone: berlin) == isOpen)
    #expect(window.nextChange(after: moment, zone: berlin) == change)
    #expect(window.isOpen(at: change, zone: berlin) == !isOpen)
    #expect(window.opening(at: moment, zone: berlin) == (isOpen ? moment : change))
  }

  @Test(arguments: ["Mon-Sun", "00:00-24:00", "00:00-12:00,12:00-24:00", "Sat-Fri"])
  func always(text: String) throws {
    let window = try TransferWindow.parse(text)
    for hour in 0..<200 { #expect(window.isOpen(at: Double(hour) * 3600, zone: berlin)) }
    #expect(window.nextChange(after: 0, zone: berlin) == nil)
    #expect(window.opening(at: 5, zone: berlin) == 5)
  }

  @Test(
    arguments: [
      ("1:00-7:00", "01:00-07:00"), ("mon-fri  22:00-06:00,sat", "Mon-Fri 22:00-06:00 Sat"),
      ("Sat,Sun,Mon 10:00-12:00 14:00-15:00", "Mon,Sat,Sun 10:00-12:00 14:00-15:00"),
      ("fri-mon", "Mon,Fri-Sun"), ("00:00-24:00", "Mon-Sun"), ("Sat 00:00-24:00 Mon 08:00-09:00:30", nil),
      ("01:00-02:00 Sat 03:00-04:00 Mon-Sun 05:00-06:00", nil),
    ] as [(String, String?)])
  func text(given: String, shown: String?) throws {
    let window = try TransferWindow.parse(given)
    #expect(window.description == shown ?? given)
    #expect(try TransferWindow.parse(window.description) == window)
  }

  @Test(
    arguments: [
      "", " , ", "night", "01:00", "01:00-", "-07:00", "01:00-25:00", "24:00-01:00", "01:00-01:00", "01:00-07:00-08:00",
      "Foo 01:00-07:00", "Mon-", "Mon-Tue-Wed", "01:00..07:00", String(repeating: "Mon ", count: 101),
      String(repeating: "01:00-02:00 ", count: 33), String(repeating: "01:00-02:00 ", count: 32) + "Mon",
    ])
  func noWindow(text: String) {
    #expect(throws: QuantityParseError.self) { try TransferWindow.parse(text) }
  }
}
