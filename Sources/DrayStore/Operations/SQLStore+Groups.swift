// Keeps groups: the facts that all files of one directory share.

internal import DrayCore

extension SQLStore {
  func groups() async throws(Failure) -> [StoredGroup] {
    try await look { db in
      try db.rows("SELECT id, name, url, directory, added_at FROM groups ORDER BY id").map { row in
        StoredGroup(
          label: GroupLabel(id: try row[0], name: try row[1]), url: try row[2], directory: try row[3],
          addedAt: try row[4])
      }
    }
  }

  func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await look { db in
      // Keep SQLite from using the index of states, which would find far more jobs than the index of groups.
      try db.values(
        """
        SELECT hot.id FROM \(.jobs) WHERE group_id = \(group) AND \(sqlite: "+")state \(in: states) ORDER BY hot.id
        """, as: JobID.self)
    }
  }

  /// Puts an existing job into a group, unless the job is already in one.
  static func enter(_ db: Session, _ id: JobID, _ group: GroupID) throws {
    try db.run("UPDATE jobs SET group_id = \(group) WHERE id = \(id) AND group_id IS NULL")
  }

  /// Takes a job out of its group, which ends with its last job.
  static func leaveGroup(_ db: Session, _ id: JobID) throws {
    let group = try db.value("SELECT group_id FROM jobs WHERE id = \(id) AND group_id IS NOT NULL", as: GroupID.self)
    guard let group else { return }
    try db.run("UPDATE jobs SET group_id = NULL WHERE id = \(id)")
    try db.run(
      "DELETE FROM groups WHERE id = \(group) AND NOT EXISTS (SELECT 1 FROM jobs WHERE group_id = \(group))")
  }

  /// Returns the number of a group, and creates the group if it does not exist. The caller holds the lock on adding.
  static func groupID(_ db: Session, _ group: JobGroup, now: Double) throws -> GroupID {
    let known = try db.value(
      "SELECT id FROM groups WHERE url = \(group.url.string) AND directory = \(group.directory)", as: GroupID.self)
    if let known { return known }
    let made = try db.value(
      """
      INSERT INTO groups (\(postgres: "id, ")name, url, directory, added_at)
      VALUES (\(postgres: "nextval('group_numbers'), ")\(group.name), \(group.url.string), \(group.directory), \(now))
      RETURNING id
      """, as: GroupID.self)
    return made ?? 0
  }
}

enum GroupColumn {
  static let name = "(SELECT groups.name FROM groups WHERE groups.id = group_id)"
}
