// The single way to change a job on behalf of its holder. It does nothing once the lease is lost (P9).

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension PendingCommandRule {
  /// The SQL condition that this rule adds.
  fileprivate var condition: String {
    switch self {
    case .drop: ""
    case .yield: " AND command IS NULL"
    case .carryOut(let command): " AND command = '\(command.rawValue)'"
    }
  }
}

extension SQLiteStore {
  /// Sets the columns that `set` names in the job `id` if `runner` holds it. Returns whether it does.
  func update(
    _ durability: Durability, _ id: JobID, _ runner: UUID, pending: PendingCommandRule = .drop,
    attempt: AttemptRecord? = nil,
    set: @escaping @Sendable (inout Arguments) throws -> String
  ) async throws(Failure) -> Bool {
    try await write(durability) { db in
      try SQLiteStore.update(db, id, runner, pending: pending, attempt: attempt, set: set)
    }
  }

  /// Sets the columns within the caller's transaction.
  static func update(
    _ db: Database, _ id: JobID, _ runner: UUID, pending: PendingCommandRule = .drop, attempt: AttemptRecord?,
    set: (inout Arguments) throws -> String
  ) throws -> Bool {
    var arguments = Arguments()
    let columns = try set(&arguments)
    var condition = "id = \(arguments.bind(id)) AND runner = \(arguments.bind(runner.uuidString))"
    condition += pending.condition
    try db.cachedStatement(sql: "UPDATE jobs SET \(columns) WHERE \(condition)")
      .execute(arguments: arguments.all)
    guard db.changesCount == 1 else { return false }
    if let attempt { try attempt.insert(db, job: id) }
    return true
  }
}
