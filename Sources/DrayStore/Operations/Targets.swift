// Finds target paths that no other unfinished job has (N6).

internal import DrayCore

enum Targets {
  /// Returns a condition for the jobs with this target.
  static func isTarget(_ name: String, _ directory: String) -> SQL {
    """
    \(postgres: "target_key = hashtextextended(\(directory) || '/' || \(name), 0) AND")
      directory = \(directory) AND file_name = \(name)
    """
  }

  /// Returns the server of a job's objects; empty if the target is a directory.
  fileprivate static func server(of job: JobID, in directory: String, _ db: some StoreSession) throws -> String {
    guard ObjectPlace.isMeant(by: directory) else { return "" }
    return try db.value("SELECT \(ServerColumn.ofObjects) FROM jobs WHERE id = \(job)", as: String.self) ?? ""
  }

  /// Returns the unfinished job that has a target.
  /// - Parameter isLocked: Whether other transactions must not take the target before this one ends.
  static func owner(
    of name: String, in directory: String, at server: String, besides job: JobID, _ db: some StoreSession,
    isLocked: Bool = true
  ) throws -> TargetClash? {
    let lock: SQL = "\(postgres: "SELECT pg_advisory_xact_lock(hashtextextended(\(directory) || '/' || \(name), 0))")"
    // Within one directory, only jobs that write objects have a server.
    let isAtServer: SQL = ObjectPlace.isMeant(by: directory) ? "\(ServerColumn.target) = \(server)" : "true"
    let find: SQL = """
      SELECT hot.id, state, submitted_at IS NOT NULL AND NOT \(.isSafe), not_before - \(.clock)
      FROM \(.jobs)
      WHERE \(isTarget(name, directory)) AND hot.id <> \(job) AND \(isAtServer) AND \(unfinished)
      LIMIT 1
      """
    let row = try db.all(isLocked ? [lock, find] : [find]).last?.first
    return try row.flatMap { row in
      try JobState(rawValue: try row[1]).map {
        TargetClash(job: try row[0], state: $0, wasSubmitted: try row[2], pause: try row[3])
      }
    }
  }

  /// The condition that a row of `hot` is an unfinished job; in SQLite, also the condition of an index.
  static let unfinished: SQL = "hot.state IN ('queued', 'active', 'interrupted', 'paused')"
}

extension StoreSession {
  /// Returns `name` or a numbered name that no other unfinished job than `job` has as its target (``FreeTarget``). The
  /// name stays free for the caller until the end of the transaction.
  /// - Parameter server: The server of a target in an object store; `nil` stands for the job's present server.
  func freeName(
    _ name: String, in directory: String, at server: String? = nil, policy: ConflictPolicy, besides job: JobID = 0,
    taken: Set<String> = []
  ) throws -> String {
    let server = try server ?? Targets.server(of: job, in: directory, self)
    return try FreeTarget.name(name, in: directory, policy: policy, taken: taken) {
      try Targets.owner(of: $0, in: directory, at: server, besides: job, self)
    }
  }
}
