// Finds free target paths: two unfinished jobs never share a target (N6).

import DrayCore
import SQLite

enum Targets {
  /// Returns `name`, or a numbered name, that no unfinished job other than `job` has as its target (``FreeTarget``).
  static func free(
    _ name: String, in directory: String, policy: ConflictPolicy, besides job: JobID = 0, db: Database,
    taken: Set<String> = []
  ) throws -> String {
    try FreeTarget.name(name, in: directory, policy: policy, taken: taken) {
      try owner(of: $0, in: directory, besides: job, db)
    }
  }

  private static func owner(
    of name: String, in directory: String, besides job: JobID, _ db: Database
  ) throws -> TargetClash? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id, state, submitted_at IS NOT NULL AND NOT \(SQLiteStore.isSafe) FROM jobs WHERE directory = ? AND file_name = ? AND id <> ?
            AND state IN ('queued', 'active', 'interrupted', 'paused')
          LIMIT 1
          """),
      arguments: [directory, name, job])
    return try row.flatMap { row in
      try JobState(rawValue: try row[1]).map { TargetClash(job: try row[0], state: $0, wasSubmitted: try row[2]) }
    }
  }
}
