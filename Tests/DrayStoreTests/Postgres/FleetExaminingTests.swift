// What `dray doctor` sees of a database.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@testable import DrayStore

@Suite("PostgreSQL: looking at the database", .needs(.postgres), .serialized)
struct FleetExaminingTests {
  private func examine(_ address: String) throws -> DatabaseFacts {
    try #require(try JobStores.examine(StoreConfiguration(.database(address))))
  }

  @Test("a database without a store, then with one: nothing of the look stays")
  func healthy() async throws {
    let database = try FleetDatabase()
    #expect(try examine(database.address).version == nil)
    try database.open().close()
    let facts = try examine(database.address)
    #expect(facts.version == FleetSchema.version && facts.ownVersion == FleetSchema.version && facts.refusal == nil)
    #expect(!facts.isStandby && !facts.isReadOnly && abs(facts.clockLead) < 1)
    #expect(facts.connections.used > 0 && facts.connections.used < facts.connections.limit)
    #expect(try database.sql("SELECT count(*) FROM documents") == "0")
  }

  @Test("a setting that forbids writes, a user who may not write, a limit of connections")
  func limits() async throws {
    let database = try FleetDatabase()
    try database.open().close()
    let guest = "guest_of_\(database.name)"
    try database.sql(
      """
      CREATE ROLE \(guest) LOGIN CONNECTION LIMIT 7; GRANT USAGE ON SCHEMA dray TO \(guest);
      GRANT SELECT ON ALL TABLES IN SCHEMA dray TO \(guest)
      """)
    let address = database.server.uri(database.name, user: guest)
    let facts = try examine(address)
    #expect(facts.refusal?.reason.contains("refuses access") == true && facts.connections == (1, 7))
    try database.sql("ALTER ROLE \(guest) SET default_transaction_read_only = on")
    let second = try examine(address)
    #expect(second.isReadOnly && second.refusal == nil && second.version == FleetSchema.version)
  }
}
