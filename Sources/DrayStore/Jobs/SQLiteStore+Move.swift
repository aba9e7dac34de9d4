// Moves jobs within the queue.

import DrayCore
import SQLite

extension SQLiteStore {
  /// The fields of a job that determine its position.
  private struct Waiting {
    var id: JobID
    var priority: Int
    var rank: Double
  }

  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await write(.durable) { db in try SQLiteStore.move(db, ids, to: place) }
  }

  /// Returns `place`, or the first position if `place` is beside a job that no longer waits: such a job was ahead of
  /// all waiting jobs.
  static func place(_ db: Database, _ place: QueuePlace) throws -> QueuePlace {
    switch place {
    case .first, .last: return place
    case .before(let other), .after(let other):
      let states = SQLiteStore.waiting
      let waits = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ? AND state IN (\(states)))", arguments: [other])
      return waits ?? false ? place : .first
    }
  }

  private static let waiting = "'queued', 'interrupted', 'paused'"

  /// Moves jobs within the caller's transaction.
  static func move(_ db: Database, _ ids: [JobID], to place: QueuePlace) throws {
    guard !ids.isEmpty else { return }
    for id in ids { try SQLiteStore.checkWaits(db, id) }
    let next = 1 + Double(try JobID.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'") ?? 0)
    var line = try SQLiteStore.line(db, without: Set(ids))
    let index: Int
    switch place {
    case .first: index = 0
    case .last: index = line.count
    case .before(let other), .after(let other):
      try SQLiteStore.checkWaits(db, other)
      guard let found = line.firstIndex(where: { $0.id == other }) else {
        throw MoveRule.besideItself(other)
      }
      index = place == .before(other) ? found : found + 1
    }
    guard !line.isEmpty else {
      return try SQLiteStore.rank(db, ids, nil, QueueRank.rerank(count: ids.count, next: next))
    }

    // If neighbours differ in priority, the named job decides, or the only neighbour.
    let isBehind = index == line.count || place.isAfter
    let neighbour = line[isBehind ? index - 1 : index]
    func rank(at position: Int) -> Double? {
      guard line.indices.contains(position), line[position].priority == neighbour.priority else { return nil }
      return line[position].rank
    }
    var ranks = QueueRank.between(rank(at: index - 1), rank(at: index), count: ids.count, next: next)
    if ranks == nil {
      // No room: rank all jobs of this priority again, with a gap for the moved ones.
      let peers = line.indices.filter { line[$0].priority == neighbour.priority }
      let all = QueueRank.rerank(count: peers.count + ids.count, next: next)
      let before = peers.count { $0 < index }
      for (number, peer) in peers.enumerated() {
        line[peer].rank = all[number < before ? number : number + ids.count]
        try SQLiteStore.rank(db, [line[peer].id], nil, [line[peer].rank])
      }
      ranks = Array(all[before..<before + ids.count])
    }
    try SQLiteStore.rank(db, ids, neighbour.priority, ranks ?? [])
  }

  /// Returns the waiting jobs, in order.
  private static func line(_ db: Database, without moved: Set<JobID>) throws -> [Waiting] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, priority, ifnull(rank, id) FROM jobs WHERE state IN (\(waiting))
        ORDER BY priority DESC, ifnull(rank, id), id
        """
    ).map { Waiting(id: try $0[0], priority: try $0[1], rank: try $0[2]) }.filter { !moved.contains($0.id) }
  }

  private static func checkWaits(_ db: Database, _ id: JobID) throws {
    let state = try String.fetchOne(db, sql: "SELECT state FROM jobs WHERE id = ?", arguments: [id])
    try MoveRule.check(id, in: state.flatMap(JobState.init))
  }

  private static func rank(_ db: Database, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws {
    let update = try db.cachedStatement(
      sql: "UPDATE jobs SET rank = ?, priority = ifnull(?, priority) WHERE id = ?")
    for (id, rank) in zip(ids, ranks) { try update.execute(arguments: [rank, priority, id]) }
  }
}

extension QueuePlace {
  fileprivate var isAfter: Bool { if case .after = self { true } else { false } }
}
