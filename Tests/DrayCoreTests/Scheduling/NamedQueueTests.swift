// Named queues: names, quotas and their periods, and which jobs may be claimed.

import Testing

@testable import DrayCore

@Suite struct NamedQueueTests {
  @Test(arguments: ["films", "a", "Häuser", "映画", "a.b-c_9", "x".repeated(64)])
  func aNameIsAccepted(_ name: String) { #expect(QueueName.objection(to: name) == nil) }

  @Test(arguments: ["", "-a", ".a", "a b", "a,b", "a/b", "a\n", "a\u{1B}", "'a'", "x".repeated(65)])
  func aTextIsNoName(_ text: String) throws {
    let objection = try #require(QueueName.objection(to: text))
    #expect(!objection.contains("\u{1B}") && !objection.contains("\n"))
  }

  @Test(
    arguments: [
      ("10G/day", 10 << 30, .day), ("500m/Hour", 500 << 20, .hour), ("1b/week", 1, .week), ("1.5k/month", 1536, .month),
    ] as [(String, Int64, QueueQuota.Period)])
  func aQuotaIsRead(_ text: String, _ bytes: Int64, _ period: QueueQuota.Period) throws {
    let quota = try QueueQuota.parse(text)
    #expect(quota == QueueQuota(bytes: bytes, period: period))
    #expect(try QueueQuota.parse(quota.exactText) == quota)
  }

  @Test(arguments: [
    "", "10G", "10/day", "500/month", "10G/", "/day", "0/day", "10G/year", "10G/day/day", "x/day", "-1/day",
  ])
  func aTextIsNoQuota(_ text: String) {
    #expect(throws: QuantityParseError.self) { try QueueQuota.parse(text) }
  }

  /// 2023-11-15 01:13:20 in UTC, a Wednesday.
  private static let moment = 1_700_010_800.0

  @Test(
    arguments: [
      (.hour, 1_700_010_000, 1_700_013_600), (.day, 1_700_006_400, 1_700_092_800),
      (.week, 1_699_833_600, 1_700_438_400), (.month, 1_698_796_800, 1_701_388_800),
    ] as [(QueueQuota.Period, Double, Double)])
  func aPeriodHasItsBeginAndEnd(_ period: QueueQuota.Period, _ begin: Double, _ end: Double) {
    let quota = QueueQuota(bytes: 1, period: period)
    #expect(quota.begin(at: Self.moment, zone: .utc) == begin)
    #expect(quota.begin(at: begin, zone: .utc) == begin)
    #expect(quota.end(at: Self.moment, zone: .utc) == end)
    #expect(quota.begin(at: end, zone: .utc) == end)
  }

  @Test func aDayOfAnotherZoneBeginsThere() {
    let zone = LocalZone { _ in 7200 }
    let quota = QueueQuota(bytes: 1, period: .day)
    #expect(quota.begin(at: Self.moment, zone: zone) == 1_700_006_400 - 7200)
    #expect(quota.end(at: Self.moment, zone: zone) == 1_700_092_800 - 7200)
  }

  @Test func aQuotaClosesUntilTheNextPeriod() {
    var queue = NamedQueue("films")
    #expect(queue.gate(at: Self.moment, zone: .utc) == .open)
    queue.settings.quota = QueueQuota(bytes: 100, period: .day)
    queue.usage = QueueUsage(bytes: 99, since: 1_700_006_400)
    #expect(queue.gate(at: Self.moment, zone: .utc) == .open && queue.used(at: Self.moment, zone: .utc) == 99)
    queue.usage.bytes = 100
    #expect(queue.gate(at: Self.moment, zone: .utc) == .spent(until: 1_700_092_800))
    #expect(queue.gate(at: 1_700_092_800, zone: .utc) == .open && queue.used(at: 1_700_092_800, zone: .utc) == 0)
    queue.settings.isPaused = true
    #expect(queue.gate(at: Self.moment, zone: .utc) == .paused)
  }

  /// The moment is at 01:13:20; the quota ends at midnight.
  @Test(
    arguments: [
      (nil, false, .open), ("01:00-02:00", false, .open), ("Thu", false, .closed(until: 1_700_092_800)),
      ("02:00-03:00", false, .closed(until: 1_700_013_600)), ("01:00-02:00", true, .spent(until: 1_700_092_800)),
      ("02:00-03:00", true, .spent(until: 1_700_092_800)), ("Fri 03:00-04:00", true, .closed(until: 1_700_190_000)),
      ("no window", false, .open),
    ] as [(String?, Bool, QueueGate)])
  func aWindowClosesUntilItOpens(_ window: String?, _ isSpent: Bool, _ gate: QueueGate) {
    var queue = NamedQueue("films")
    queue.settings.between = window
    if isSpent {
      queue.settings.quota = QueueQuota(bytes: 1, period: .day)
      queue.usage = QueueUsage(bytes: 1, since: 1_700_006_400)
    }
    #expect(queue.gate(at: Self.moment, zone: .utc) == gate)
    let gates = QueueGates([queue], at: Self.moment, zone: .utc)
    #expect(gates.admits("films") == (gate == .open) && gates.closed == (gate == .open ? [] : ["films"]))
    queue.settings.isPaused = true
    #expect(queue.gate(at: Self.moment, zone: .utc) == .paused)
  }

  @Test func gatesCountTheJobsOfLimitedQueues() {
    var (films, books, tunes) = (NamedQueue("films"), NamedQueue("books"), NamedQueue("tunes"))
    films.settings.jobs = 2
    books.settings.isPaused = true
    tunes.settings.quota = QueueQuota(bytes: 1, period: .day)
    tunes.usage = QueueUsage(bytes: 1, since: 1_700_006_400)
    var gates = QueueGates([films, books, tunes], at: Self.moment, zone: .utc)
    #expect(gates.admits(nil) && gates.admits("films") && gates.admits("unknown"))
    #expect(!gates.admits("books") && !gates.admits("tunes"))
    gates.add(2, to: "films")
    gates.add(5, to: nil)
    gates.add(5, to: "unknown")
    #expect(!gates.admits("films") && gates.admits(nil) && gates.admits("unknown"))
    #expect(gates.waiting == ["films", "books"] && gates.shut == ["films", "books", "tunes"])
    #expect(gates.until == ["tunes": 1_700_092_800])
    #expect(gates.withoutLimits.admits("films") && !gates.withoutLimits.admits("books"))
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
