// Groups of jobs: the common properties of one directory's files.

import DrayCore
import SQLite

enum GroupColumn {
  /// The name of the group of a row of `jobs`.
  static let name = "(SELECT name FROM groups WHERE groups.id = jobs.group_id)"
}

extension SQLiteStore {
  func groups() async throws(Failure) -> [StoredGroup] {
    try await look { db in
      try Row.fetchAll(db, sql: "SELECT id, name, url, directory, added_at FROM groups ORDER BY id").map { row in
        StoredGroup(
          label: GroupLabel(id: try row[0], name: try row[1]), url: try row[2], directory: try row[3],
          addedAt: try row[4])
      }
    }
  }

  func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in
      try JobID.fetchAll(
        db, sql: "SELECT id FROM jobs WHERE group_id = ? AND +state IN (\(states.sql)) ORDER BY id", arguments: [group])
    }
  }

  /// Returns the number of a group, and creates the group if it does not exist.
  static func groupID(_ db: Database, _ group: JobGroup, now: Double) throws -> GroupID {
    let key: StatementArguments = [group.url.string, group.directory]
    let known = try GroupID.fetchOne(db, sql: "SELECT id FROM groups WHERE url = ? AND directory = ?", arguments: key)
    if let known { return known }
    try db.execute(
      sql: "INSERT INTO groups (name, url, directory, added_at) VALUES (?, ?, ?, ?)",
      arguments: [group.name, group.url.string, group.directory, now])
    return db.lastInsertedRowID
  }

  /// Puts an existing job into a group, unless it has one.
  static func enter(_ db: Database, _ id: JobID, _ group: GroupID) throws {
    try db.execute(
      sql: "UPDATE jobs SET group_id = ? WHERE id = ? AND group_id IS NULL", arguments: [group, id])
  }
}
