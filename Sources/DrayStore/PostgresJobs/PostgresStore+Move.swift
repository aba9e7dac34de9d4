// Moves jobs within the fleet's queue.

import DrayCore
import Postgres

extension PostgresStore {
  /// The fields of a job that determine its position.
  private struct Waiting {
    var id: JobID
    var priority: Int
    var place: Double

    init(_ row: PostgresRow) throws { (id, priority, place) = (try row[0], try row[1], try row[2]) }
  }

  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await write(.durable) { db in try PostgresStore.move(db, ids, to: place) }
  }

  /// Returns `place`, or the first position if `place` is beside a job that no longer waits: such a job was ahead of
  /// all waiting jobs.
  static func place(_ db: FleetSession, _ place: QueuePlace) throws -> QueuePlace {
    switch place {
    case .first, .last: return place
    case .before(let other), .after(let other):
      let waits = try db.isTrue("SELECT EXISTS (SELECT 1 FROM hot WHERE id = \(other) AND \(raw: waiting))")
      return waits ? place : .first
    }
  }

  private static let waiting = "state IN ('queued', 'interrupted', 'paused')"
  private static let order = "urgency, place, id"
  private static let reversed = "urgency DESC, place DESC, id DESC"

  /// Moves jobs within the caller's transaction. The server finds the neighbours of the new place; the queue is not read
  /// as a whole.
  static func move(_ db: FleetSession, _ ids: [JobID], to place: QueuePlace) throws {
    guard !ids.isEmpty else { return }
    try db.lock(.order)
    for id in ids { try checkWaits(db, id) }
    let last =
      try db.value(
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM job_numbers", as: JobID.self) ?? 0
    let next = 1 + Double(last)
    let (before, after) = try neighbours(of: place, db, without: ids)
    // If neighbours differ in priority, the named job decides, or the only neighbour.
    let prefersBefore = after == nil || place.isAfterJob
    guard let neighbour = prefersBefore ? before ?? after : after ?? before else {
      return try rank(db, ids, nil, QueueRank.rerank(count: ids.count, next: next))
    }
    func known(_ one: Waiting?) -> Double? { one.flatMap { $0.priority == neighbour.priority ? $0.place : nil } }
    var ranks = QueueRank.between(known(before), known(after), count: ids.count, next: next)
    if ranks == nil {
      // No room: rank all jobs of this priority again, with a gap for the moved ones.
      let peers = try db.rows(
        """
        SELECT id, priority, place FROM hot
        WHERE \(raw: waiting) AND priority = \(neighbour.priority) AND id <> ALL(\(ids)) ORDER BY \(raw: order)
        """
      ).map { try Waiting($0) }
      let all = QueueRank.rerank(count: peers.count + ids.count, next: next)
      let index = after.flatMap { after in peers.firstIndex { $0.id == after.id } } ?? peers.count
      try rank(db, peers.map(\.id), nil, Array(all[..<index] + all[(index + ids.count)...]))
      ranks = Array(all[index..<index + ids.count])
    }
    try rank(db, ids, neighbour.priority, ranks ?? [])
  }

  /// Returns the waiting jobs directly before and after a position.
  private static func neighbours(
    of place: QueuePlace, _ db: FleetSession, without ids: [JobID]
  ) throws -> (before: Waiting?, after: Waiting?) {
    func first(_ condition: SQL, _ order: String) throws -> Waiting? {
      try db.first(
        """
        SELECT id, priority, place FROM hot WHERE \(raw: waiting) AND id <> ALL(\(ids)) AND \(condition)
        ORDER BY \(raw: order) LIMIT 1
        """
      ).map { try Waiting($0) }
    }
    switch place {
    case .first: return (nil, try first("true", order))
    case .last: return (try first("true", reversed), nil)
    case .before(let other), .after(let other):
      try checkWaits(db, other)
      guard !ids.contains(other), let named = try first("id = \(other)", order) else {
        throw MoveRule.besideItself(other)
      }
      let key: SQL = "(urgency, place, id)"
      let its: SQL = "(\(Int32(clamping: -named.priority)), \(named.place), \(named.id))"
      if case .before = place { return (try first("\(key) < \(its)", reversed), named) }
      return (named, try first("\(key) > \(its)", order))
    }
  }

  private static func checkWaits(_ db: FleetSession, _ id: JobID) throws {
    let state = try db.value("SELECT state FROM hot WHERE id = \(id) FOR UPDATE", as: String.self)
    try MoveRule.check(id, in: state.flatMap(JobState.init(rawValue:)))
  }

  private static func rank(_ db: FleetSession, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws {
    try db.run(
      """
      UPDATE hot SET rank = ranked.rank, priority = coalesce(\(priority), priority)
      FROM unnest(\(ids), \(ranks)) AS ranked (job, rank) WHERE hot.id = ranked.job
      """)
  }
}

extension QueuePlace {
  fileprivate var isAfterJob: Bool { if case .after = self { true } else { false } }
}
