// Takes the jobs that a claim has found, within the limits.

#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

/// The last step of a claim. Under locks, the step counts the owned jobs, and takes the found jobs that the limits
/// allow. Its statements are sent together with the commit, so that the locks are not held for another round trip.
///
/// The search has already counted without locks, only in order to choose jobs; the counts of this step decide.
struct FleetAdmission: Sendable {
  let runner: UUID
  /// The maximum number of jobs to take.
  let limit: Int
  /// The runner's own jobs and the limits on origins.
  let jobs: JobsPerOrigin
  /// The limits on named queues; their counts are not filled in.
  let queues: QueueGates
  /// The condition for a job whose origin is not on hold.
  let isNotHeld: SQL
  /// The owned jobs, as an item after FROM.
  let ownedJobs: SQL
  let lesson: KnownFences.Lesson
  /// The jobs to take, in order; there may be more than ``limit``.
  let wanted: [FleetSearch.Candidate]
  /// Whether to take no job at all unless ``limit`` jobs can be taken. If no job was taken, a longer search chooses,
  /// because other jobs may come first.
  let isWhole: Bool

  /// The counts that are needed for the limits.
  var counted: Set<FleetSchema.Counted> {
    var all: Set<FleetSchema.Counted> = jobs == .unlimited ? [] : Set(wanted.map { .origin($0.origin) })
    for one in wanted { if let queue = one.queue, queues.limits[queue] != nil { all.insert(.queue(queue)) } }
    return all
  }

  var statements: [SQL] {
    guard !wanted.isEmpty else { return [] }
    let claiming = FleetSchema.Lock.claiming
    var all: [SQL]
    switch lesson {
    case .none: all = [claiming.statement(isShared: true)]
    case .attempt: all = [claiming.attempt, claiming.statement(isShared: true)]
    case .required: all = [claiming.statement()]
    }
    let counted = counted
    if !counted.isEmpty { all.append(FleetSchema.counting(counted)) }
    if lesson != .none {
      all.append("SELECT coalesce(array_agg(fence), '{}'), (SELECT last_value FROM fences) FROM \(ownedJobs)")
    }
    return all + [marking(isCounted: !counted.isEmpty)]
  }

  /// Reads the rows that the statements returned.
  /// - Returns: The number of jobs that were taken.
  func read(_ results: [PostgresRows], _ known: KnownFences) throws -> Int {
    guard let last = results.last else { return 0 }
    if lesson != .none, let row = results[results.count - 2].first {
      let isAlone = try lesson == .required || results[0].first?[0] ?? false
      if isAlone { known.learn(held: try row[0], top: try row[1]) }
    }
    return last.changedCount
  }

  /// Returns the statement that marks the jobs as taken. It skips jobs that another program is changing. An origin's
  /// free places go to its first jobs. If one of these does not fit into its queue, the place stays free for now: a
  /// later claim sees that the queue is full, and takes other jobs.
  private func marking(isCounted: Bool) -> SQL {
    """
    WITH wanted AS (
      SELECT * FROM unnest(\(wanted.map(\.id)), \(wanted.map(\.origin)), \(wanted.map(\.queue)))
        WITH ORDINALITY AS wanted (job, origin, queue, turn)),
    free AS (
      SELECT hot.id, wanted.origin, wanted.queue, wanted.turn FROM hot JOIN wanted ON hot.id = wanted.job
      WHERE state = 'queued' AND \(isNotHeld) ORDER BY hot.id FOR UPDATE OF hot SKIP LOCKED),
    \(isCounted ? ranks : "ranked AS (SELECT id, turn FROM free)"),
    admitted AS (SELECT id FROM ranked ORDER BY turn LIMIT \(limit))
    UPDATE hot SET \(PostgresStore.newClaim(runner)) FROM admitted
    WHERE hot.id = admitted.id AND \(isWhole ? limit : 0) <= (SELECT count(*) FROM admitted)
    """
  }

  /// Ranks the free jobs by the counts to which limits apply.
  private var ranks: SQL {
    let origins = Set(wanted.map(\.origin)).sorted()
    var shared = jobs
    for origin in origins { shared.add(0, ofOthersAt: origin) }
    let limits = queues.limits.sorted { $0.key < $1.key }
    return """
      owned AS (
        SELECT origin, queue, count(*) FILTER (WHERE runner <> \(runner)) AS others, count(*) AS jobs FROM \(ownedJobs)
        WHERE publishing IS NULL GROUP BY origin, queue),
      rooms AS (
        SELECT origin, CASE WHEN others > 0 THEN shared - others ELSE alone END AS room
        FROM unnest(\(origins), \(origins.map { jobs.room(at: $0) }), \(origins.map { shared.room(at: $0) }))
          AS limits (origin, alone, shared)
        LEFT JOIN (SELECT origin, sum(others) AS others FROM owned GROUP BY 1) AS counts USING (origin)),
      places AS (
        SELECT queue, most - coalesce(jobs, 0) AS room
        FROM unnest(\(limits.map(\.key)), \(limits.map(\.value))) AS limits (queue, most)
        LEFT JOIN (SELECT queue, sum(jobs) AS jobs FROM owned GROUP BY 1) AS counts USING (queue)),
      ranked AS (
        SELECT id, turn FROM (
          SELECT id, turn, rooms.room, places.room AS place,
            row_number() OVER (PARTITION BY origin ORDER BY turn) AS at_origin,
            row_number() OVER (PARTITION BY queue ORDER BY turn) AS in_queue
          FROM free JOIN rooms USING (origin) LEFT JOIN places USING (queue)
          WHERE coalesce(places.room, 1) > 0) AS counted
        WHERE at_origin <= room AND (place IS NULL OR in_queue <= place))
      """
  }
}

#endif
