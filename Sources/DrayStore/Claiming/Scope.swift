// The jobs of a scope in SQLite: the whole queue, or a temporary table with the jobs that a `get` named.

internal import DrayCore
internal import SQLite

extension IDScope {
  var table: String { "scope_\(number)" }
}

extension ClaimScope {
  /// The number in the names of the scope's temporary tables; 0 for the whole queue.
  var number: Int {
    switch self {
    case .all: 0
    case .only(let scope): scope.number
    // Scopes by label get numbers above those of all sets. A store has few scopes while it is open, so collisions of
    // their hashes are not expected.
    case .labelled(let labels):
      1 << 40
        | Array(labels.map(\.text).sorted().joined(separator: " ").utf8).withUnsafeBytes { Int(CRC32C(of: $0).value) }
    }
  }

  /// An SQL condition that a row of `jobs`, found by other means, is in the scope.
  var condition: String {
    switch self {
    case .all: "1"
    // Look up each row; with `IN`, SQLite might walk over the whole set.
    case .only(let scope): "EXISTS (SELECT 1 FROM temp.\(scope.table) AS scope WHERE scope.id = jobs.id)"
    case .labelled(let labels): LabelColumn.condition(labels, row: "jobs")
    }
  }

  /// The tables and the condition for a walk over the queued jobs: for a set, from the small set to the queue; for the
  /// whole queue, along the queue.
  var queued: String {
    switch self {
    case .only(let scope) where scope.count <= 256:
      "temp.\(scope.table) AS scope CROSS JOIN jobs ON jobs.id = scope.id WHERE state = 'queued'"
    default:
      "jobs INDEXED BY jobs_queue WHERE state = 'queued' AND \(condition)"
    }
  }
}

extension SQLiteStore {
  static func condition(of scope: ClaimScope) -> SQL { SQL(raw: scope.condition) }

  func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope {
    try await access { db in
      let number =
        1 + (try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.sqlite_master WHERE type = 'table'") ?? 0)
      try db.execute(sql: "CREATE TEMP TABLE scope_\(number) (id INTEGER PRIMARY KEY)")
      return try SQLiteStore.insert(ids, into: IDScope(number: number, count: 0), db)
    }
  }

  func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope {
    try await access { db in try SQLiteStore.insert(ids, into: scope, db) }
  }

  private static func insert(_ ids: some Sequence<JobID>, into scope: IDScope, _ db: Database) throws -> IDScope {
    var count = scope.count
    try db.inTransaction(.deferred) {
      let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.\(scope.table) VALUES (?)")
      for id in ids {
        try insert.execute(arguments: [id])
        count += db.changesCount
      }
    }
    return IDScope(number: scope.number, count: count)
  }
}
