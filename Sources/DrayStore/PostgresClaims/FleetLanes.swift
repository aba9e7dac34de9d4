// The lanes of the fleet's queue. If a named queue or a window is closed, or if a runner wants certain labels, a search
// leaves out whole lanes without reading any of their jobs.

#if Postgres

internal import DrayCore
internal import Postgres

/// The queued jobs with one named queue, one window and one set of labels.
struct FleetLane: Sendable, Hashable {
  /// The name of the queue; empty for none.
  var queue = ""
  /// The window as text; empty for none.
  var window = ""
  /// The labels in order, separated by spaces; empty for none.
  var labels = ""

  /// Returns when jobs of the lane can be claimed, as far as this depends on the lane: `now` if the lane is open; `nil`
  /// if the time is unknown, or if the runner does not take such jobs.
  func opening(
    _ scope: ClaimScope, _ queues: QueueGates, closed windows: [String: Double], now: Double
  ) -> Double? {
    if case .labelled(let wanted) = scope {
      let own = labels.split(separator: " ")
      guard wanted.allSatisfy({ label in own.contains { $0 == label.text } }) else { return nil }
    }
    guard !queue.isEmpty else { return max(now, windows[window] ?? now) }
    guard !queues.waiting.contains(queue) else { return nil }
    return max(now, windows[window] ?? now, queues.until[queue] ?? now)
  }
}

extension JobOptions {
  var laneLabels: String { (labels ?? []).map(\.text).sorted().joined(separator: " ") }
}

/// The lanes of the queue, in no particular order.
struct FleetLanes: Sendable {
  let all: [FleetLane]

  /// The maximum number of lanes. If there are more lanes (for example, because each job has its own label), searches
  /// walk over the jobs instead.
  static let most = 300

  /// Selects the lanes with one index lookup for each lane, not for each job. The lookups go backwards, because dead
  /// entries of jobs that have left the queue are rarely at the end of a lane.
  static let statement: SQL = """
    WITH RECURSIVE lane (queue, transfer_window, labels) AS (
      (SELECT \(key) FROM hot WHERE state = 'queued' ORDER BY \(backwards) LIMIT 1)
      UNION ALL
      SELECT next.* FROM lane CROSS JOIN LATERAL (
        SELECT \(key) FROM hot
        WHERE state = 'queued' AND (\(key)) < (lane.queue, lane.transfer_window, lane.labels)
        ORDER BY \(backwards) LIMIT 1) AS next)
    SELECT queue, transfer_window, labels FROM lane LIMIT \(raw: "\(most + 1)")
    """

  fileprivate static let key: SQL = "coalesce(hot.queue, ''), coalesce(hot.transfer_window, ''), hot.labels"
  private static let backwards: SQL =
    "coalesce(hot.queue, '') DESC, coalesce(hot.transfer_window, '') DESC, hot.labels DESC"

  /// The condition that a row of `hot` belongs to a row of ``source(_:)``.
  static let isIn: SQL = "(\(key)) = (lane.queue, lane.transfer_window, lane.labels)"

  /// Reads the rows of ``statement``.
  /// - Returns: `nil` if there are too many lanes.
  init?(_ rows: PostgresRows) throws {
    guard rows.count <= FleetLanes.most else { return nil }
    all = try rows.map { FleetLane(queue: try $0[0], window: try $0[1], labels: try $0[2]) }
  }

  /// Reads the lanes. Returns `nil` if a search must look at single jobs: because there are too many lanes, because the
  /// scope is a set of jobs, or because a share does not work on this machine.
  static func read(_ db: FleetSession, for scope: ClaimScope, _ queues: QueueGates) throws -> FleetLanes? {
    guard !scope.isSet, queues.places.isEmpty else { return nil }
    return try FleetLanes(try db.rows(statement))
  }

  /// The windows of the lanes in order, without the empty text.
  var windows: [String] { Set(all.lazy.map(\.window)).subtracting([""]).sorted() }

  /// These lanes as rows of an item after FROM, named `lane`.
  static func source(_ lanes: [FleetLane]) -> SQL {
    "unnest(\(lanes.map(\.queue)), \(lanes.map(\.window)), \(lanes.map(\.labels))) AS lane (queue, transfer_window, labels)"
  }
}

/// The jobs of one origin in a lane.
struct FleetTrack: Sendable {
  var lane: FleetLane
  var origin: String

  /// Returns the tracks of lanes with one index lookup for each track, not for each job.
  ///
  /// The key of a job is compared as a whole, and the order begins with it. The server has no estimate for a
  /// combination of single comparisons, and would choose another index.
  static func all(_ db: FleetSession, of lanes: [FleetLane]) throws -> [FleetTrack] {
    guard !lanes.isEmpty else { return [] }
    let key = FleetLanes.key
    return try db.rows(
      """
      WITH RECURSIVE track (queue, transfer_window, labels, origin) AS (
        SELECT first.* FROM \(FleetLanes.source(lanes)) CROSS JOIN LATERAL (
          SELECT \(key), hot.origin FROM hot
          WHERE state = 'queued' AND (\(key), hot.origin) > (lane.queue, lane.transfer_window, lane.labels, '')
          ORDER BY \(key), hot.origin LIMIT 1) AS first (queue, transfer_window, labels, origin)
        WHERE (first.queue, first.transfer_window, first.labels) = (lane.queue, lane.transfer_window, lane.labels)
        UNION ALL
        SELECT next.* FROM track AS lane CROSS JOIN LATERAL (
          SELECT \(key), hot.origin FROM hot
          WHERE state = 'queued' AND (\(key), hot.origin) > (lane.queue, lane.transfer_window, lane.labels, lane.origin)
          ORDER BY \(key), hot.origin LIMIT 1) AS next (queue, transfer_window, labels, origin)
        WHERE (next.queue, next.transfer_window, next.labels) = (lane.queue, lane.transfer_window, lane.labels))
      SELECT * FROM track
      """
    ).map {
      FleetTrack(lane: FleetLane(queue: try $0[0], window: try $0[1], labels: try $0[2]), origin: try $0[3])
    }
  }

  /// Returns the tracks as rows of an item after FROM, named `lane`, with a value for each track in `column`.
  static func source<Value: SQLValue>(_ tracks: [FleetTrack], _ column: String, _ values: [Value]) -> SQL {
    """
    unnest(\(tracks.map(\.lane.queue)), \(tracks.map(\.lane.window)), \(tracks.map(\.lane.labels)),
      \(tracks.map(\.origin)), \(values)) AS lane (queue, transfer_window, labels, origin, \(raw: column))
    """
  }

  /// The condition that a row of `hot` belongs to a track of ``source(_:_:_:)``, at or after a point of the queue.
  static func isOn(from point: QueuePoint?) -> SQL {
    let track: SQL = "lane.queue, lane.transfer_window, lane.labels, lane.origin"
    let start: SQL =
      if let point {
        """
        (\(FleetLanes.key), hot.origin, \(raw: FleetSearch.order))
          >= (\(track), \(Int32(clamping: -point.priority)), \(point.place), \(point.id))
        """
      } else {
        "(\(FleetLanes.key), hot.origin) >= (\(track))"
      }
    return "\(start) AND (\(FleetLanes.key), hot.origin) <= (\(track))"
  }

  /// The order of the jobs of a track. This is the order of the index, as in ``all(_:of:)``.
  static let order: SQL = "\(FleetLanes.key), hot.origin, \(raw: FleetSearch.order)"
}

#endif
