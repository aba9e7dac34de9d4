internal import DrayCore

/// The columns of a waiting job that determine its position.
private struct Waiting {
  var id: JobID
  var priority: Int
  var place: Double

  init(_ row: some SelectedRow) throws { (id, priority, place) = (try row[0], try row[1], try row[2]) }

  static let select: SQL = "SELECT id, priority, \(place) FROM \(.hot) WHERE \(isWaiting)"
  static let isWaiting: SQL = "state IN ('queued', 'interrupted', 'paused')"
  static let place: SQL = "\(sqlite: "ifnull(rank, id)", postgres: "place")"
  /// The columns of a position; all of them ascend from the queue's beginning to its end.
  static let key: SQL = "\(sqlite: "-priority", postgres: "urgency"), \(place), id"
  static let reversed: SQL = "\(sqlite: "-priority", postgres: "urgency") DESC, \(place) DESC, id DESC"
}

extension SQLStore {
  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await transaction(.durable) { db in try Self.move(db, ids, to: place) }
  }

  /// Returns the place unchanged, unless it is beside a job that no longer waits. Such a job was ahead of all waiting
  /// jobs, so the result is then the first position.
  static func place(_ db: Session, _ place: QueuePlace) throws -> QueuePlace {
    switch place {
    case .first, .last: return place
    case .before(let other), .after(let other):
      return try db.first("\(Waiting.select) AND id = \(other)") == nil ? .first : place
    }
  }

  /// Moves jobs within the caller's transaction. The database finds the neighbours of the new position, so the queue is
  /// not read as a whole.
  static func move(_ db: Session, _ ids: [JobID], to place: QueuePlace) throws {
    guard !ids.isEmpty else { return }
    try db.lock(.order)
    for id in ids { try checkWaits(db, id) }
    let last = try db.value(
      """
      SELECT \(sqlite: "seq FROM sqlite_sequence WHERE name = 'jobs'",
        postgres: "CASE WHEN is_called THEN last_value ELSE 0 END FROM job_numbers")
      """, as: JobID.self)
    let next = 1 + Double(last ?? 0)
    let (before, after) = try neighbours(of: place, db, without: ids)
    // If the neighbours have different priorities, the moved jobs get the priority of the job that `place` names; if
    // there is only one neighbour, they get the neighbour's.
    let prefersBefore = after == nil || place.isAfterJob
    guard let neighbour = prefersBefore ? before ?? after : after ?? before else {
      return try rank(db, ids, nil, QueueRank.rerank(count: ids.count, next: next))
    }
    func known(_ one: Waiting?) -> Double? { one.flatMap { $0.priority == neighbour.priority ? $0.place : nil } }
    var ranks = QueueRank.between(known(before), known(after), count: ids.count, next: next)
    if ranks == nil {
      // No rank is left between the neighbours. Rank all jobs of this priority again, with a gap for the moved jobs.
      let peers = try db.rows(
        "\(Waiting.select) AND priority = \(neighbour.priority) AND NOT id \(in: ids) ORDER BY \(Waiting.key)"
      ).map { try Waiting($0) }
      let all = QueueRank.rerank(count: peers.count + ids.count, next: next)
      let index = after.flatMap { after in peers.firstIndex { $0.id == after.id } } ?? peers.count
      try rank(db, peers.map(\.id), nil, Array(all[..<index] + all[(index + ids.count)...]))
      ranks = Array(all[index..<index + ids.count])
    }
    try rank(db, ids, neighbour.priority, ranks ?? [])
  }

  /// Returns the jobs before and after a position, ignoring the moved jobs.
  private static func neighbours(
    of place: QueuePlace, _ db: Session, without ids: [JobID]
  ) throws -> (before: Waiting?, after: Waiting?) {
    func first(_ condition: SQL, _ order: SQL) throws -> Waiting? {
      try db.first("\(Waiting.select) AND NOT id \(in: ids) AND \(condition) ORDER BY \(order) LIMIT 1")
        .map { try Waiting($0) }
    }
    switch place {
    case .first: return (nil, try first("true", Waiting.key))
    case .last: return (try first("true", Waiting.reversed), nil)
    case .before(let other), .after(let other):
      try checkWaits(db, other)
      guard !ids.contains(other), let named = try first("id = \(other)", Waiting.key) else {
        throw MoveRule.besideItself(other)
      }
      let its: SQL = "(\(Int32(clamping: -named.priority)), \(named.place), \(named.id))"
      if case .before = place { return (try first("(\(Waiting.key)) < \(its)", Waiting.reversed), named) }
      return (named, try first("(\(Waiting.key)) > \(its)", Waiting.key))
    }
  }

  private static func checkWaits(_ db: Session, _ id: JobID) throws {
    let state = try db.value("SELECT state FROM \(.hot) WHERE id = \(id)\(.forUpdate)", as: String.self)
    try MoveRule.check(id, in: state.flatMap(JobState.init(rawValue:)))
  }
}

extension QueuePlace {
  fileprivate var isAfterJob: Bool { if case .after = self { true } else { false } }
}
