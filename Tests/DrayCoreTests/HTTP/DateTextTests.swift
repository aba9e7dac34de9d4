// Moments as users type them, in artificial time zones.

import Foundation
import Testing

@testable import DrayCore

/// A zone like Berlin's in 2026: clocks go forward on 29 March and back on 25 October, at 01:00 UTC.
let berlin = LocalZone { moment in
  (1_774_746_000..<1_792_890_000).contains(moment) ? 7200 : 3600
}

/// A moment in UTC: `2026-11-21T12:00:00`.
func utc(_ text: String) throws -> Double {
  let format = Date.ISO8601FormatStyle(timeZone: .gmt)
  return try format.parse(text + "Z").timeIntervalSince1970
}

@Suite struct DateTextTests {
  @Test(
    arguments: [
      ("23:00", "2026-11-21T22:00:00"), ("13:00:30", "2026-11-21T12:00:30"), ("9:05", "2026-11-22T08:05:00"),
      // Today's time of day has passed, so tomorrow's applies.
      ("13:00", "2026-11-22T12:00:00"), ("2026-11-22", "2026-11-21T23:00:00"),
      ("2026-11-22T01:00", "2026-11-22T00:00:00"), ("2026-11-22 01:00:09", "2026-11-22T00:00:09"),
      ("2026-11-22T01:00Z", "2026-11-22T01:00:00"), ("2027-07-01T12:00", "2027-07-01T11:00:00"),
      ("@1763726400", "2025-11-21T12:00:00"), ("+2h", "2026-11-21T14:00:00"), ("+90", "2026-11-21T12:01:30"),
      ("+1d", "2026-11-22T12:00:00"),
    ])
  func start(text: String, moment: String) throws {
    let now = try utc("2026-11-21T12:00:00")
    #expect(try DateText.parseStart(text, now: now, zone: berlin) == (try utc(moment)))
  }

  @Test(
    arguments: [
      "", "24:00", "23:60", "23", "2026-13-01", "2026-02-30", "2026-11-22T", "2026-11-22T25:00", "+", "+x", "-2h",
      "2026-11-21T12:59", "2020-01-01", "tomorrow", "11/22/2026", "１２:00",
    ])
  func noStart(text: String) throws {
    let now = try utc("2026-11-21T12:00:00")
    #expect(throws: QuantityParseError.self) { try DateText.parseStart(text, now: now, zone: berlin) }
  }

  @Test(
    arguments: [
      ("2d", "2026-11-19T12:00:00"), ("90m", "2026-11-21T10:30:00"), ("08:00", "2026-11-21T07:00:00"),
      ("14:00", "2026-11-20T13:00:00"), ("2026-11-20", "2026-11-19T23:00:00"),
      ("2026-11-20T08:00", "2026-11-20T07:00:00"),
    ])
  func past(text: String, moment: String) throws {
    let now = try utc("2026-11-21T12:00:00")
    #expect(try DateText.parsePast(text, now: now, zone: berlin) == (try utc(moment)))
  }

  @Test(
    arguments: [
      // Clocks go forward: 02:30 never comes, and is 03:30.
      ("2026-03-29T02:30", "2026-03-29T01:30:00"), ("2026-03-29T01:59", "2026-03-29T00:59:00"),
      ("2026-03-29T03:00", "2026-03-29T01:00:00"),
      // Clocks go back: 02:30 comes twice, and the first counts.
      ("2026-10-25T02:30", "2026-10-25T00:30:00"), ("2026-10-25T03:00", "2026-10-25T02:00:00"),
      ("2026-10-25T01:59", "2026-10-24T23:59:00"),
    ])
  func clocksThatAreChanged(text: String, moment: String) throws {
    #expect(try DateText.parseStart(text, now: 0, zone: berlin) == (try utc(moment)))
  }

  /// At 00:40Z and 01:10Z on the 25th, clocks show 02:40 and, set back, 02:10.
  @Test(
    "the next time that the clock shows it",
    arguments: [
      ("02:30", "2026-10-25T00:20:00", "2026-10-25T00:30:00"), ("02:30", "2026-10-25T00:40:00", "2026-10-25T01:30:00"),
      ("02:30", "2026-10-25T01:10:00", "2026-10-25T01:30:00"), ("02:30", "2026-10-25T01:40:00", "2026-10-26T01:30:00"),
      ("2026-10-25T02:30", "2026-10-25T00:40:00", "2026-10-25T01:30:00"),
      ("2026-10-25T02:30", "2026-10-25T01:10:00", "2026-10-25T01:30:00"),
      // Clocks skip 02:30 on the 29th of March.
      ("02:30", "2026-03-29T00:30:00", "2026-03-30T00:30:00"), ("02:30", "2026-03-28T00:00:00", "2026-03-28T01:30:00"),
      ("2026-03-29T02:30", "2026-03-29T01:10:00", "2026-03-29T01:30:00"),
    ])
  func aTimeThatOccursTwiceOrNever(text: String, now: String, moment: String) throws {
    #expect(try DateText.parseStart(text, now: try utc(now), zone: berlin) == (try utc(moment)))
  }

  @Test(arguments: [
    ("2026-10-25T00:40:00", "2026-10-25T00:30:00"), ("2026-10-25T01:10:00", "2026-10-25T00:30:00"),
    ("2026-10-25T01:40:00", "2026-10-25T01:30:00"), ("2026-03-29T10:00:00", "2026-03-28T01:30:00"),
  ])
  func theLastTimeThatTheClockShowedIt(now: String, moment: String) throws {
    #expect(try DateText.parsePast("02:30", now: try utc(now), zone: berlin) == (try utc(moment)))
  }

  @Test func aDateThatHasOccurredTwiceIsPast() throws {
    let now = try utc("2026-10-25T01:40:00")
    #expect(throws: QuantityParseError.self) {
      try DateText.parseStart("2026-10-25T02:30", now: now, zone: berlin)
    }
  }

  @Test func aTimeOfDayOnTheDayOfTheChange() throws {
    let before = try utc("2026-10-24T20:00:00")
    #expect(try DateText.parseStart("12:00", now: before, zone: berlin) == (try utc("2026-10-25T11:00:00")))
  }
}
