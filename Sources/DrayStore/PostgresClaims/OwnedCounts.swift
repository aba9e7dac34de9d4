#if Postgres

internal import DrayCore
internal import Postgres

internal import struct FoundationEssentials.UUID

/// The numbers of jobs that the fleet owns, by origin and by named queue. Limits apply to both. Jobs that are being
/// published do not count.
struct OwnedCounts {
  private struct Group {
    var origin: String
    var queue: String?
    var ofOthers: Int
    var all: Int
  }

  private var groups: [Group] = []

  static func statement(_ known: KnownFences, runner: UUID) -> SQL {
    """
    SELECT origin, queue, count(*) FILTER (WHERE publishing IS NULL AND runner <> \(runner)),
      count(*) FILTER (WHERE publishing IS NULL)
    FROM \(known.ownedJobs) GROUP BY origin, queue
    """
  }

  private init() {}

  init(_ rows: PostgresRows) throws {
    for row in rows {
      groups.append(Group(origin: try row[0], queue: try row[1], ofOthers: try row[2], all: try row[3]))
    }
  }

  /// Counts the owned jobs; does nothing if no limit needs the counts.
  init(_ db: FleetSession, _ jobs: JobsPerOrigin, _ queues: QueueGates, runner: UUID) throws {
    if jobs == .unlimited, queues.limits.isEmpty {
      self.init()
    } else {
      try self.init(try db.rows(OwnedCounts.statement(db.fences, runner: runner)))
    }
  }

  /// Returns the gates with the fleet's active jobs added.
  func added(to queues: QueueGates) -> QueueGates {
    var all = queues
    for group in groups { all.add(group.all, to: group.queue) }
    return all
  }

  /// Returns the counts of the runner plus the jobs that other runners transfer.
  func added(to jobs: JobsPerOrigin) -> JobsPerOrigin {
    guard jobs != .unlimited else { return jobs }
    var all = jobs
    for group in groups where group.ofOthers > 0 { all.add(group.ofOthers, ofOthersAt: group.origin) }
    return all
  }
}

#endif
