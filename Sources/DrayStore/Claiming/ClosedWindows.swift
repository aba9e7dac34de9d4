// Few jobs have a window, and few of the windows differ, so a search reads each distinct window once. A search without
// closed windows does not look at windows. A statement gets the closed windows as one JSON object, however many there
// are (P13).

internal import DrayCore
internal import SQLite

/// The windows of queued jobs that are closed now.
struct ClosedWindows {
  /// The texts of the windows with their openings as a JSON object; `nil` if none is closed.
  private var json: String?

  init() {}

  /// - Parameter opens: Whether to read the openings too.
  init(_ db: Database, _ known: KnownWindows, now: Double, zone: LocalZone, opens: Bool) throws {
    let texts = try String.fetchAll(db.cachedStatement(sql: ClosedWindows.all))
    let closed = known.closed(among: texts, now: now, zone: zone, opens: opens)
    if !closed.isEmpty { json = try JSONColumn.text(closed) }
  }

  /// One index lookup for each window instead of each job.
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

  /// The SQL conditions on a job whose window is open or missing.
  var conditions: [String] {
    isEmpty ? [] : ["(transfer_window IS NULL OR transfer_window NOT IN (SELECT key FROM json_each(:closed)))"]
  }

  /// The source and condition of a walk over the queued jobs whose windows are closed, with `closed.opening`.
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
