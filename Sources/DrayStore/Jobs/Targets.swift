// Finds free target paths: two unfinished jobs never share a target (N6).

import DrayCore
import SQLite

enum Targets {
  /// Returns `name` if no unfinished job other than `job` has that target. Otherwise the policy `rename` returns a
  /// numbered name that is also free according to `exists`, and every other policy throws a failure of kind `file`.
  /// `rename` also avoids `name` itself if it exists.
  static func free(
    _ name: String, in directory: String, policy: ConflictPolicy, besides job: JobID = 0, db: Database,
    exists: (String) -> Bool = { _ in false }
  ) throws -> String {
    let owner = try owner(of: name, in: directory, besides: job, db)
    if policy != .rename {
      guard let owner else { return name }
      throw owner.failure(PathText.join(directory, name))
    }
    if owner == nil, !exists(name) { return name }
    for number in 1... {
      let numbered = FileName.numbered(name, number)
      if try self.owner(of: numbered, in: directory, besides: job, db) == nil, !exists(numbered) {
        return numbered
      }
    }
    return name
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
