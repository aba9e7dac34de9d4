// The clock of a fleet: small differences between its programs, and a database whose clock is set back.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@testable import DrayStore

@Suite("PostgreSQL: the clock of a fleet", .needs(.postgres), .serialized)
struct FleetClockTests {
  @Test(
    "time does not go back between two calls, unless the clock was set back",
    arguments: [
      (100, nil, 100), (100, 99, 100), (100, 100, 100), (100, 100.001, 100.001), (100, 104, 104), (100, 105, 100),
      (100, 3700, 100),
    ] as [(Double, Double?, Double)])
  func moments(now: Double, recorded: Double?, moment: Double) {
    #expect(PostgresStore.moment(now, after: recorded) == moment)
  }

  @Test("programs that differ by less than a round trip keep one pace, and each other's holds and waits")
  func smallDifferences() async throws {
    let store = try FleetDatabase().open()
    let ids = try await store.add("a", "b")
    #expect(try await store.reserveStart(at: "http://h", pause: 2, now: 100) == 100)
    #expect(try await store.reserveStart(at: "http://h", pause: 2, now: 99.5) == 102)
    let hold = OriginHold(try url("http://h/").origin, until: 130, since: 100, job: ids[0], status: 429)
    try await store.hold(hold)
    #expect(try await store.holds(now: 98) == [hold])
    #expect(try await store.claim(UUID(), now: 98).isEmpty)
    #expect(try await store.holds(now: 90).isEmpty)
  }

  @Test("leases that a clock which was set back left end like others; none ends earlier")
  func clockSetBack() async throws {
    let database = try FleetDatabase()
    let lease = try await database.open().acquireLease(named: "own")
    try database.sql(
      """
      INSERT INTO runners (id, name, lease_until)
      SELECT gen_random_uuid(), ahead, clock_timestamp() + make_interval(secs => ahead)
      FROM unnest('{-5, 20, 100, 864000}'::int[]) AS ahead
      """)
    #expect(try await lease.renew() == .kept)
    let ends = try database.sql(
      """
      SELECT name, CASE WHEN rest <= 0 THEN 'over' WHEN rest <= 20 THEN 'short' WHEN rest <= \(FleetLease.length) THEN 'whole'
        ELSE 'longer' END
      FROM (SELECT name, begun_at, extract(epoch FROM lease_until - clock_timestamp()) AS rest FROM runners) AS found
      ORDER BY name
      """)
    #expect(ends.split(separator: "\n") == ["-5|over", "100|whole", "20|short", "864000|whole", "own|whole"])
    await lease.release()
  }
}
