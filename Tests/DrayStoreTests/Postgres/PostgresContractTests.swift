// Checks the contract with the store in PostgreSQL, one check at a time: each needs several connections.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@Suite("PostgreSQL: the contract of job stores", .needs(.postgres), .serialized)
struct PostgresContractTests {
  @Test(arguments: ContractCheck.all)
  func keepsTheContract(check: ContractCheck) async throws { try await check.run(try await FleetDatabase.maker.make()) }

  @Test(arguments: ContractCheck.all)
  func keepsTheContractWithASecondConnection(check: ContractCheck) async throws {
    try await check.run(try await FleetDatabase.readApart.make())
  }
}
