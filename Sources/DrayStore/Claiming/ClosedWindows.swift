// The windows of queued jobs that are closed. Few jobs have a window, and fewer windows differ: each is read once for a
// search, and a search without closed windows does not look at them.

import DrayCore
import SQLite

/// The closed windows of queued jobs, with their openings.
struct ClosedWindows {
  private var windows: [(text: String, opening: Double)] = []

  /// No closed windows.
  init() {}

  /// Reads the windows of queued jobs.
  init(_ db: Database, now: Double, zone: LocalZone) throws {
    for text in try String.fetchAll(db.cachedStatement(sql: ClosedWindows.all)) {
      guard let window = try? TransferWindow.parse(text), !window.isOpen(at: now, zone: zone) else { continue }
      // A window that never opens is looked at again in a year.
      windows.append((text, window.opening(at: now, zone: zone) ?? now + 365 * 86_400))
    }
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

  /// The SQL conditions on a job whose window is open or missing.
  var conditions: [String] { windows.isEmpty ? [] : ["\(opening) <= :now"] }

  /// The SQL expression for the opening of a job's window; `:now` if it is open or missing.
  var opening: String {
    guard !windows.isEmpty else { return ":now" }
    let cases = windows.indices.map { "WHEN :window\($0) THEN :opening\($0)" }
    return "CASE transfer_window \(cases.joined(separator: " ")) ELSE :now END"
  }

  /// Returns the arguments of a statement with those of the expressions.
  func adding(to arguments: StatementArguments) -> StatementArguments {
    var all = arguments
    for (index, window) in windows.enumerated() {
      all.set("window\(index)", to: window.text)
      all.set("opening\(index)", to: window.opening)
    }
    return all
  }
}
