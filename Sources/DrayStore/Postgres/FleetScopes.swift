// The sets of jobs that a `get` named, as temporary tables of the writer's connection. On a new connection, the tables
// are created again.

#if Postgres

internal import DrayCore
internal import Postgres
internal import Synchronization

extension IDScope {
  fileprivate var fleetTable: String { "scope_\(number)" }
}

final class FleetScopes: Sendable {
  private let sets = Mutex<[Set<JobID>]>([])

  /// Registers a set without creating a table.
  func add() -> IDScope {
    sets.withLock { sets in
      sets.append([])
      return IDScope(number: sets.count, count: 0)
    }
  }

  func extend(_ scope: IDScope, with ids: [JobID]) -> IDScope {
    sets.withLock { sets in
      sets[scope.number - 1].formUnion(ids)
      return IDScope(number: scope.number, count: sets[scope.number - 1].count)
    }
  }

  /// Makes the tables of all sets on a new connection.
  func make(_ connection: PostgresConnection) throws(PostgresError) {
    let session = FleetSession(connection: connection)
    for (place, ids) in sets.withLock(\.self).enumerated() {
      try FleetScopes.fill(IDScope(number: place + 1, count: 0), with: Array(ids), session)
    }
  }

  /// Creates the table of a set if it does not exist, and adds jobs to it. The caller must call this again for each new
  /// connection.
  static func fill(_ scope: IDScope, with ids: [JobID], _ db: FleetSession) throws(PostgresError) {
    let table = scope.fleetTable
    try db.connection.script("CREATE TEMP TABLE IF NOT EXISTS \(table) (id int8 PRIMARY KEY)")
    var start = 0
    while start < ids.count {
      let end = min(start + 50_000, ids.count)
      try db.run(
        "INSERT INTO \(raw: table) SELECT unnest(\(Array(ids[start..<end]))) ON CONFLICT DO NOTHING")
      start = end
    }
    // Tells the planner how large the set is.
    try db.connection.script("ANALYZE \(table)")
  }
}

extension ClaimScope {
  /// A condition for rows of `hot`: the job is in the scope.
  var fleetCondition: SQL {
    switch self {
    case .all: "true"
    case .only(let scope): "EXISTS (SELECT 1 FROM \(raw: scope.fleetTable) AS scope WHERE scope.id = hot.id)"
    case .labelled(let labels):
      """
      EXISTS (SELECT 1 FROM jobs AS labelled WHERE labelled.id = hot.id
        AND (labelled.options -> 'labels') @> to_jsonb(\(labels.map(\.text))))
      """
    }
  }

  /// The jobs of the scope as an item after FROM, named `hot`: the jobs of the set, or the whole table.
  var fleetSource: SQL {
    switch self {
    case .only(let scope): "\(raw: scope.fleetTable) AS scope JOIN hot ON hot.id = scope.id"
    case .all, .labelled: "hot"
    }
  }

  /// The condition to use together with ``fleetSource``.
  var fleetRest: SQL {
    switch self {
    case .only: "true"
    case .all, .labelled: fleetCondition
    }
  }
}

extension PostgresStore {
  static func condition(of scope: ClaimScope) -> SQL { scope.fleetCondition }

  func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope {
    let scope = scopes.add()
    return try await extendScope(scope, with: ids)
  }

  func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope {
    let extended = scopes.extend(scope, with: ids)
    try await access { db in try FleetScopes.fill(scope, with: ids, db) }
    return extended
  }
}

#endif
