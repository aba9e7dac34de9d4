// Texts about servers that asked for a pause (holds): the server, the end of the pause, and the command that sends a
// request at once.

internal import DrayKit
internal import DrayStore

enum HoldText {
  /// Returns `until 05:47: 127.0.0.1:8080 answered 429 Too Many Requests to job 1`.
  static func text(_ hold: OriginHold, now: Double) -> String {
    "until \(TimeStamp.moment(hold.until, now: now)): \(TextSafety.escaped(hold.reason))"
  }

  /// Returns the note for a complete job that was requested in spite of a hold; `nil` once that hold would have ended
  /// anyway.
  static func passed(_ job: JobSummary, now: Double) -> String? {
    guard job.state == .complete, let hold = job.passedHold, hold.isInForce(at: now) else { return nil }
    return "asked despite the hold \(text(hold, now: now))"
  }

  static func ending(_ hold: OriginHold) -> String { "`dray limit --no-hold \(TextSafety.escaped(hold.host))`" }

  /// Returns the line about the hold for which jobs of a run wait: `[2] waits until …; `dray resume 2` asks now`.
  static func line(_ held: HeldJobs, now: Double) -> String {
    guard held.count > 1 else {
      return "[\(held.first)] waits \(text(held.hold, now: now)); `dray resume \(held.first)` asks now"
    }
    return "\(held.count) jobs wait \(text(held.hold, now: now)); \(ending(held.hold)) asks now"
  }

  /// Returns the message about jobs that are requested in spite of a hold: `127.0.0.1:8080 answered 429 Too Many
  /// Requests to job 1, on hold until …; asking once now for [1]`.
  static func asking(_ held: HeldJobs, now: Double) -> String {
    let time = TimeStamp.moment(held.hold.until, now: now)
    let jobs = held.count == 1 ? "[\(held.first)]" : "\(held.count) jobs"
    return "\(TextSafety.escaped(held.hold.reason)), on hold until \(time); asking once now for \(jobs)"
  }

  /// Returns a line for `dray limit`: `on hold: 127.0.0.1:8080 until …`.
  static func status(_ hold: OriginHold, now: Double) -> String {
    "on hold: \(TextSafety.escaped(hold.host)) \(text(hold, now: now)) (\(ending(hold)) ends it)"
  }
}

/// The holds for which the listed jobs wait. Each has a line below the table, which has room for it even in a narrow
/// window.
struct ShownHolds {
  /// The time at which the list was made, in seconds since 1970.
  let now: Double
  /// The texts that are already stored, to find duplicates quickly: 100,000 jobs of one origin may have the same text.
  private var texts: Set<String> = []
  private var holds: [OriginHold] = []

  init(now: Double) { self.now = now }

  mutating func add(_ job: JobSummary) {
    guard job.state == .queued, let text = job.holdText, texts.insert(text).inserted, let hold = job.hold,
      hold.isInForce(at: now)
    else { return }
    holds.append(hold)
  }

  /// Lines such as `on hold: 127.0.0.1:8080 until …`, sorted by when the holds end.
  var lines: [String] {
    holds.sorted { ($0.until, $0.origin) < ($1.until, $1.origin) }.map { HoldText.status($0, now: now) }
  }
}
