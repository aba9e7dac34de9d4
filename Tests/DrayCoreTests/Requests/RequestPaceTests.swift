// How often requests may start: texts, and the starts that follow each other.

import Testing

@testable import DrayCore

@Suite struct RequestPaceTests {
  @Test(
    "texts",
    arguments: [
      ("10", 0.1, "10/s"), ("10/s", 0.1, "10/s"), ("0.5/s", 2, "0.5/s"), ("30/m", 2, "30/m"), ("1/2s", 2, "1/2s"),
      ("1/500ms", 0.5, "1/0.5s"), ("60/h", 60, "60/h"), ("24/d", 3600, "24/d"), ("30/1m", 2, "30/m"),
      ("1000/s", 0.001, "1000/s"), ("1/10d", 864_000, "1/864000s"),
    ] as [(String, Double, String)])
  func texts(text: String, pause: Double, shown: String) throws {
    let pace = try #require(RequestPace(text))
    #expect(pace.pause == pause && pace.description == shown)
    #expect(RequestPace(shown)?.pause == pause)
  }

  @Test(
    "no paces",
    arguments: [
      "", "0", "-1", "x", "10/", "/s", "10/x", "10/2", "10/0s", "1e3/s", "10/s/s", "10 /s", "inf", "nan", "1001/s",
      "1/11d", "0x10", "1.", "1.2.3", "0.000001/s",
    ])
  func refused(text: String) { #expect(RequestPace(text) == nil) }

  @Test("several connections to one file need more than a request a second")
  func brisk() throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    #expect(request.isBrisk)
    request.pace = RequestPace("1/s")
    #expect(request.isBrisk)
    request.jitter = 0.5
    #expect(!request.isBrisk)
    (request.pace, request.jitter) = (RequestPace("30/m"), nil)
    #expect(!request.isBrisk)
  }

  /// The last record, the pause and the time of the next request, and its start.
  @Test(
    arguments: [
      (nil, 2, 100, 100),
      // Reserved ahead: the next one follows it.
      (PaceRecord(start: 103, pause: 2, reservedAt: 100), 2, 100, 105),
      // Of two pauses the shorter one is between them.
      (PaceRecord(start: 100, pause: 3600, reservedAt: 100), 2, 100.5, 102),
      (PaceRecord(start: 100, pause: 2, reservedAt: 100), 3600, 100.5, 102),
      // A little late is no delay for the next ones.
      (PaceRecord(start: 100, pause: 0.1, reservedAt: 99), 0.1, 100.14, 100.1),
      (PaceRecord(start: 100, pause: 2, reservedAt: 99), 2, 102.04, 102),
      // Missed starts are not made up for.
      (PaceRecord(start: 100, pause: 0.1, reservedAt: 99), 0.1, 100.16, 100.16),
      (PaceRecord(start: 100, pause: 2, reservedAt: 99), 2, 102.06, 102.06),
      (PaceRecord(start: 100, pause: 2, reservedAt: 99), 2, 900, 900),
      // The clock was set back.
      (PaceRecord(start: 100, pause: 2, reservedAt: 99), 2, 50, 50),
    ] as [(PaceRecord?, Double, Double, Double)])
  func starts(last: PaceRecord?, pause: Double, now: Double, start: Double) {
    let next = PaceRecord.next(after: last, pause: pause, now: now)
    #expect(next == PaceRecord(start: next.start, pause: pause, reservedAt: now))
    #expect(abs(next.start - start) < 1e-9)
  }

  @Test("thirty requests a second are thirty, also by a clumsy clock")
  func steady() {
    var last: PaceRecord?
    var now = 100.0
    var starts: [Double] = []
    for index in 0..<300 {
      let next = PaceRecord.next(after: last, pause: 1 / 30, now: now)
      starts.append(max(now, next.start))
      last = next
      // It wakes up late, by up to a hundredth of a second.
      now = max(now, next.start) + Double(index % 11) / 1000
    }
    #expect(abs(starts[299] - starts[0] - 299 / 30) < 0.05)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 > 1 / 30 - 0.0167 })
  }
}
