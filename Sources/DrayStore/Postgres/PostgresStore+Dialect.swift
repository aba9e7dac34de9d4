// Runs statements of both dialects on a connection to PostgreSQL.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresRow: SelectedRow {}
extension FleetSession: StoreSession {}

extension PostgresStore: SQLStore {
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool,
    _ body: @escaping @Sendable (FleetSession) throws -> T
  ) async throws(Failure) -> T {
    try await write(durability, for: runner, announces: announces, body)
  }

  func use<T: Sendable>(_ body: @escaping @Sendable (FleetSession) throws -> T) async throws(Failure) -> T {
    try await access(body)
  }

  func claim(of id: JobID, by runner: UUID) -> SQL { held.condition(id, runner) }

  /// Programs know the database's clock as well as a round trip proves it. What was recorded later than that was
  /// recorded before the clock was set back.
  static var clockDifference: Double { 5 }
}
