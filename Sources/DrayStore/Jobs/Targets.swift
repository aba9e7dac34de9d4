// Finds free target paths: two unfinished jobs never share a target (N6).

import DrayCore
import SQLite

enum Targets {
  /// Returns `name`, or a numbered name, that no unfinished job other than `job` has as its target (``FreeTarget``).
  /// - Parameter server: the server of a target in an object store; `nil` for the one that the job has.
  static func free(
    _ name: String, in directory: String, at server: String? = nil, policy: ConflictPolicy, besides job: JobID = 0,
    db: Database, taken: Set<String> = []
  ) throws -> String {
    let server = try server ?? Targets.server(of: job, in: directory, db)
    return try FreeTarget.name(name, in: directory, policy: policy, taken: taken) {
      try owner(of: $0, in: directory, at: server, besides: job, db)
    }
  }

  /// Returns the server of a job's objects; empty for a directory.
  private static func server(of job: JobID, in directory: String, _ db: Database) throws -> String {
    guard ObjectPlace.isMeant(by: directory) else { return "" }
    let select = try db.cachedStatement(sql: "SELECT \(ServerColumn.ofObjects) FROM jobs WHERE id = ?")
    return try String.fetchOne(select, arguments: [job]) ?? ""
  }

  /// Returns the unfinished job with a target.
  static func owner(
    of name: String, in directory: String, at server: String, besides job: JobID, _ db: Database
  ) throws -> TargetClash? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id, state, submitted_at IS NOT NULL AND NOT \(SQLiteStore.isSafe) FROM jobs
          WHERE directory = ? AND file_name = ? AND id <> ? AND \(ServerColumn.target) = ?
            AND state IN ('queued', 'active', 'interrupted', 'paused')
          LIMIT 1
          """),
      arguments: [directory, name, job, server])
    return try row.flatMap { row in
      try JobState(rawValue: try row[1]).map { TargetClash(job: try row[0], state: $0, wasSubmitted: try row[2]) }
    }
  }
}
