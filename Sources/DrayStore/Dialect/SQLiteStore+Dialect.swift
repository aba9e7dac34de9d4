// Runs the statements that both databases share on a connection to SQLite.

internal import DrayCore
internal import SQLite

internal import struct FoundationEssentials.UUID

extension Row: SelectedRow {}

extension Database: StoreSession {
  func rows(_ sql: SQL) throws -> [Row] {
    let (statement, arguments) = try sql.sqlite(self)
    return try Row.fetchAll(statement, arguments: arguments)
  }

  func first(_ sql: SQL) throws -> Row? {
    let (statement, arguments) = try sql.sqlite(self)
    return try Row.fetchOne(statement, arguments: arguments)
  }

  func values<Value: StoredValue>(_ sql: SQL, as type: Value.Type) throws -> [Value] {
    let (statement, arguments) = try sql.sqlite(self)
    return try Value.fetchAll(statement, arguments: arguments)
  }

  @discardableResult
  func run(_ sql: SQL) throws -> Int {
    let (statement, arguments) = try sql.sqlite(self)
    try statement.execute(arguments: arguments)
    return changesCount
  }

  @discardableResult
  func change(_ set: Assignments, where condition: SQL) throws -> Int {
    try run("UPDATE \(.hot) SET \(set.all) WHERE \(condition)")
  }

  /// Does nothing: a transaction of SQLite excludes all others.
  func lock(_ lock: StoreLock) {}

  @discardableResult
  func all(_ statements: [SQL]) throws -> [[Row]] {
    // Skip the locks that only PostgreSQL needs.
    try statements.filter { !$0.isPostgresOnly }.map { try rows($0) }
  }
}

extension SQLiteStore: SQLStore {
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    // `runner` and `announces` have no effect: a claim ends with the runner's process, and other programs notice that
    // the file changes.
    try await write(durability == .durable ? .durable : .lazy, body)
  }

  func use<T: Sendable>(
    for runner: UUID?, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(Failure) -> T {
    try await access(body)
  }

  func claim(of id: JobID, by runner: UUID) -> SQL { "hot.id = \(id) AND runner = \(runner)" }

  static func ownedJobs(_ db: Database) -> SQL { "\(.hot) INDEXED BY jobs_runner" }
  static func giveFences(_ db: Database, _ ids: [JobID]) -> [(JobID, Int64)] { [] }
  func own(_ fences: [(JobID, Int64)], _ runner: UUID) {}
  func disown(_ ids: [JobID], _ runner: UUID) {}

  static func rank(_ db: Database, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws {
    for (id, rank) in zip(ids, ranks) {
      try db.run("UPDATE jobs SET rank = \(rank), priority = coalesce(\(priority), priority) WHERE id = \(id)")
    }
  }

  /// All programs use the clock of the same machine.
  static var clockDifference: Double { 0 }
}
