// The windows of queued jobs that are closed. Few jobs have a window, and fewer windows differ: each is read once for a
// search, and a search without closed windows does not look at them. A statement gets them as one JSON object, however
// many there are (P13).

import DrayCore
import SQLite
import Synchronization

/// The closed windows of queued jobs.
struct ClosedWindows {
  /// The texts of the windows with their openings as a JSON object; `nil` if none is closed.
  private var json: String?

  /// No closed windows.
  init() {}

  /// Reads the windows of queued jobs.
  /// - Parameter opens: whether the openings are wanted, too.
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

  /// Whether no window is closed.
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

  /// Returns the arguments of a statement with those of the expressions.
  func adding(to arguments: StatementArguments) -> StatementArguments {
    guard let json else { return arguments }
    var all = arguments
    all.set("closed", to: json)
    return all
  }
}

/// The windows of queued jobs, each parsed only once.
final class KnownWindows: Sendable {
  private struct Entry: Sendable {
    /// `nil` for a text that is no window.
    var window: TransferWindow?
    var opening: Opening?
  }

  /// When a closed window opens.
  private struct Opening: Sendable {
    /// The moment at which this was found.
    var from: Double
    /// The zone's offset at that moment.
    var offset: Int
    var moment: Double
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Returns the closed windows among these texts, with their openings. Forgets other texts.
  /// - Parameter opens: whether the openings are wanted; if not, they are `now`.
  func closed(among texts: [String], now: Double, zone: LocalZone, opens: Bool) -> [String: Double] {
    guard !texts.isEmpty else { return [:] }
    let before = entries.withLock { $0 }
    var after: [String: Entry] = [:]
    var closed: [String: Double] = [:]
    for text in texts {
      var entry = before[text] ?? Entry(window: try? TransferWindow.parse(text))
      if let window = entry.window, !window.isOpen(at: now, zone: zone) {
        if opens {
          let opening = KnownWindows.opening(of: window, entry.opening, now: now, zone: zone)
          closed[text] = opening.moment
          entry.opening = opening
        } else {
          closed[text] = now
        }
      }
      after[text] = entry
    }
    entries.withLock { $0 = after }
    return closed
  }

  /// Returns the opening of a closed window, which is known until it comes.
  private static func opening(
    of window: TransferWindow, _ known: Opening?, now: Double, zone: LocalZone
  ) -> Opening {
    let offset = zone.offset(now)
    if let known, known.offset == offset, known.from <= now, now < known.moment { return known }
    // A window that never opens is looked at again in a year.
    let moment = window.opening(at: now, zone: zone) ?? now + 365 * 86_400
    return Opening(from: now, offset: offset, moment: moment)
  }
}
