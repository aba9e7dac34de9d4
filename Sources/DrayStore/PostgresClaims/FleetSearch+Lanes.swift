// Searches by lane and origin. Jobs that are closed, beyond a limit, on hold or without the wanted labels are skipped
// without being read.

#if Postgres

internal import DrayCore
internal import Postgres

extension FleetSearch {
  /// The lanes from which the search may return jobs now; `nil` if the search does not use lanes.
  var open: [FleetLane]? {
    lanes?.all.filter {
      // The claim knows which windows are closed, but not for how long.
      closed[$0.window] == nil && $0.opening(scope, queues, closed: closed, now: now) == now
    }
  }

  /// Returns the jobs of the open lanes that can be claimed; for each origin, as many as its limit allows.
  func onTracks(_ db: FleetSession, _ jobs: JobsPerOrigin, from point: QueuePoint?) throws -> [Candidate] {
    let held = try holds(db)
    let tracks = try FleetTrack.all(db, of: open ?? []).filter {
      held[$0.origin] == nil && jobs.room(at: $0.origin) > 0
    }
    func walk(_ tracks: [FleetTrack], _ condition: SQL) throws -> [Candidate] {
      guard !tracks.isEmpty else { return [] }
      let rooms = tracks.map { min(limit, jobs.room(at: $0.origin)) }
      return try db.rows(
        """
        SELECT found.* FROM \(FleetTrack.source(tracks, "room", rooms)) CROSS JOIN LATERAL (
          SELECT \(raw: FleetSearch.columns) FROM hot
          WHERE state = 'queued' AND \(FleetTrack.isOn(from: point)) AND \(isDue) AND \(condition)
          ORDER BY \(FleetTrack.order) LIMIT lane.room) AS found
        """
      ).map { try Candidate($0) }
    }
    var candidates = try walk(tracks, "true")
    // After these failed jobs in the queue, other jobs may exist that should be tried first.
    let behind = Set(candidates.lazy.filter(\.hasFailed).map(\.origin))
    if !behind.isEmpty {
      let known = Set(candidates.map(\.id))
      candidates += try walk(tracks.filter { behind.contains($0.origin) }, "retries_used = 0")
        .filter { !known.contains($0.id) }
    }
    guard !held.isEmpty else { return candidates }
    return try candidates
      + db.rows(
        """
        SELECT \(raw: FleetSearch.columns) FROM \(FleetSearch.passing) AND \(FleetSearch.isFrom(point)) AND \(isDue)
          AND \(FleetSearch.isNotIn(queues.shut)) AND \(scope.fleetCondition)
        """
      ).map { try Candidate($0) }
  }

  /// The queued jobs that may send a request despite a hold, as an item after FROM with its condition.
  private static let passing: SQL = """
    hold_passes JOIN origins AS passed ON passed.held_at = hold_passes.held_at
      JOIN hot ON hot.id = hold_passes.job AND hot.origin = passed.origin
    WHERE state = 'queued'
    """

  /// Returns the ends of the holds in force, by origin.
  private func holds(_ db: FleetSession) throws -> [String: Double] {
    try db.rows("SELECT origin, hold_until FROM origins WHERE \(PostgresStore.isInForce(now))").reduce(into: [:]) {
      $0[try $1[0]] = try $1[1] as Double
    }
  }

  /// Implements ``nextDue(_:_:from:)``. For each origin in a lane, the first job that waits only for its time decides.
  func nextDue(
    _ db: FleetSession, _ lanes: FleetLanes, _ jobs: JobsPerOrigin, from point: QueuePoint?
  ) throws -> (time: Double?, isBeforePoint: Bool) {
    let openings = lanes.all.reduce(into: [FleetLane: Double]()) {
      $0[$1] = $1.opening(scope, queues, closed: closed, now: now)
    }
    let full = jobs.full
    let isRoomy: SQL = full.isEmpty ? "true" : "hot.origin <> ALL(\(full.sorted()))"
    if openings.values.contains(now),
      try db.isTrue(
        """
        SELECT EXISTS (SELECT 1 FROM (\(near(FleetSearch.steps, from: point))) AS hot
          WHERE \(isRoomy) AND \(isDue) AND \(isNotHeld))
        """)
    {
      return (now, false)
    }
    let held = try holds(db)
    let tracks = try FleetTrack.all(db, of: Array(openings.keys)).filter { !full.contains($0.origin) }
    var times: [Double] = []
    if !tracks.isEmpty {
      let first = tracks.map { max(openings[$0.lane] ?? now, held[$0.origin] ?? now) }
      let (retry, start) = (due("not_before"), due("start_at"))
      let time: Double? = try db.value(
        """
        SELECT min(CASE
          WHEN (SELECT true FROM hot WHERE state = 'queued' AND \(FleetTrack.isOn(from: nil)) AND \(FleetSearch.isFree)
            AND \(FleetSearch.isOver("not_before", now: now)) AND \(FleetSearch.isOver("start_at", now: now))
            ORDER BY \(FleetTrack.order) LIMIT 1)
          THEN lane.first
          ELSE (SELECT min(greatest(lane.first, \(retry), \(start))) FROM hot
            WHERE state = 'queued' AND \(FleetLanes.isIn) AND hot.origin = lane.origin AND \(FleetSearch.isFree))
          END) FROM \(FleetTrack.source(tracks, "first", first))
        """)
      times += [time].compactMap(\.self)
    }
    if !held.isEmpty {
      for row in try db.rows(
        """
        SELECT coalesce(hot.queue, ''), coalesce(hot.transfer_window, ''), hot.labels,
          greatest(\(due("not_before")), \(due("start_at")))
        FROM \(FleetSearch.passing) AND \(isRoomy) AND \(FleetSearch.isFree)
        """)
      {
        let lane = FleetLane(queue: try row[0], window: try row[1], labels: try row[2])
        if let opening = openings[lane] { times.append(max(opening, try row[3])) }
      }
    }
    let time = times.min()
    return (time, point != nil && time == now)
  }

  /// Returns SQL for the time at which a job's wait is over; `now` if the wait is already over.
  private func due(_ time: String) -> SQL {
    "CASE WHEN \(FleetSearch.isOver(time, now: now)) THEN \(now) ELSE \(raw: time) END"
  }
}

extension ClaimScope {
  /// Whether the scope is a registered set of jobs.
  var isSet: Bool { if case .only = self { true } else { false } }

  /// The statement that counts the queued jobs of the scope.
  func count(_ lanes: FleetLanes) -> SQL {
    let mine = lanes.all.filter { $0.opening(self, .open, closed: [:], now: 0) != nil }
    return """
      SELECT count(*), 0::int8 FROM \(FleetLanes.source(mine)) JOIN hot ON \(FleetLanes.isIn) WHERE state = 'queued'
      """
  }
}

#endif
