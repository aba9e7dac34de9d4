// Finds the closed windows. Few jobs have a window, and many of these share one, so a search reads each distinct window
// once. If no window is closed, the search does not look at windows. A statement gets all closed windows as one JSON
// object, no matter how many there are (P13).

internal import DrayCore
internal import SQLite

/// The windows of queued jobs that are closed now.
struct ClosedWindows {
  /// The closed windows with the times at which they open, as a JSON object; `nil` if none is closed.
  private var json: String?

  init() {}

  /// - Parameter opens: Whether to compute the times at which the windows open.
  init(_ db: Database, _ known: KnownWindows, now: Double, zone: LocalZone, opens: Bool) throws {
    let texts = try String.fetchAll(db.cachedStatement(sql: ClosedWindows.all))
    let closed = known.closed(among: texts, now: now, zone: zone, opens: opens)
    if !closed.isEmpty { json = try JSONColumn.text(closed) }
  }

  /// Selects the windows with one index lookup for each window, not for each job.
  private static let all = """
    WITH RECURSIVE named (text) AS (
      SELECT min(transfer_window) FROM jobs INDEXED BY jobs_window
        WHERE state = 'queued' AND transfer_window IS NOT NULL
      UNION ALL
      SELECT (SELECT min(transfer_window) FROM jobs INDEXED BY jobs_window
        WHERE state = 'queued' AND transfer_window IS NOT NULL AND transfer_window > named.text)
      FROM named WHERE named.text IS NOT NULL)
    SELECT text FROM named WHERE text IS NOT NULL
    """

  var isEmpty: Bool { json == nil }

  /// The SQL conditions that a job has no window, or that its window is open.
  var conditions: [String] {
    isEmpty ? [] : ["(transfer_window IS NULL OR transfer_window NOT IN (SELECT key FROM json_each(:closed)))"]
  }

  /// The tables and the condition for a walk over the queued jobs whose windows are closed. `closed.opening` is the
  /// time at which the window opens.
  static let jobs = """
    (SELECT key AS text, CAST(value AS REAL) AS opening FROM json_each(:closed)) AS closed
      CROSS JOIN jobs INDEXED BY jobs_window ON jobs.transfer_window = closed.text
      WHERE state = 'queued' AND transfer_window IS NOT NULL
    """

  func adding(to arguments: StatementArguments) -> StatementArguments {
    guard let json else { return arguments }
    var all = arguments
    all.set("closed", to: json)
    return all
  }
}
