// Counts the queued jobs of a scope by temporary triggers; counting 100,000 jobs again after each change would cost
// more than the transfers.

internal import DrayCore
internal import SQLite
internal import Synchronization

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs {
    try await access { [self] db in
      var pending = PendingJobs(queued: try queuedCount(db, scope), activeElsewhere: 0, mine: 0)
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT runner, count(*) FROM jobs INDEXED BY jobs_runner
            WHERE runner IS NOT NULL AND \(scope.condition) GROUP BY runner
            """))
      while let row = try rows.next() {
        let holder: String = try row[0]
        if holder == runner.uuidString {
          pending.mine = try row[1]
        } else {
          pending.activeElsewhere += try row[1] as Int
        }
      }
      return pending
    }
  }

  private func queuedCount(_ db: Database, _ scope: ClaimScope) throws -> Int {
    // The triggers count only changes of this connection; this version shows whether other connections have changed
    // anything.
    let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    let known = tallies.withLock { $0[scope.number] }
    if known != version {
      if known == nil { try SQLiteStore.makeTally(db, scope) }
      try db.execute(
        sql: """
          UPDATE temp.tally SET queued = (SELECT count(*) FROM \(scope.queued)) WHERE scope = \(scope.number)
          """)
      tallies.withLock { $0[scope.number] = version }
    }
    return try Int.fetchOne(
      db.cachedStatement(sql: "SELECT queued FROM temp.tally WHERE scope = \(scope.number)")) ?? 0
  }

  private static func makeTally(_ db: Database, _ scope: ClaimScope) throws {
    let number = scope.number
    func isMember(_ row: String) -> String {
      switch scope {
      case .all: "1"
      case .only(let scope): "EXISTS (SELECT 1 FROM \(scope.table) WHERE id = \(row).id)"
      case .labelled(let labels): LabelColumn.condition(labels, row: row)
      }
    }
    func trigger(_ name: String, _ event: String, when condition: String, _ step: String) -> String {
      """
      CREATE TEMP TRIGGER tally_\(number)_\(name) AFTER \(event) ON main.jobs WHEN \(condition)
      BEGIN UPDATE tally SET queued = queued + \(step) WHERE scope = \(number); END;
      """
    }
    try db.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS tally (scope INTEGER PRIMARY KEY, queued INTEGER NOT NULL);
        INSERT INTO temp.tally VALUES (\(number), 0);
        \(trigger("insert", "INSERT", when: "NEW.state = 'queued' AND \(isMember("NEW"))", "1"))
        \(trigger("delete", "DELETE", when: "OLD.state = 'queued' AND \(isMember("OLD"))", "-1"))
        \(trigger(
          "update", "UPDATE OF state",
          when: "(OLD.state = 'queued') <> (NEW.state = 'queued') AND \(isMember("NEW"))",
          "iif(NEW.state = 'queued', 1, -1)"))
        """)
    // Adding a job to a scope counts the job if it is already queued.
    guard case .only(let scope) = scope else { return }
    try db.execute(
      sql: """
        CREATE TEMP TRIGGER tally_\(number)_scope AFTER INSERT ON \(scope.table)
        WHEN EXISTS (SELECT 1 FROM jobs WHERE id = NEW.id AND state = 'queued')
        BEGIN UPDATE tally SET queued = queued + 1 WHERE scope = \(number); END;
        """)
  }
}
