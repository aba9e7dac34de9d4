// Holds in words: the server that asked, the end of the hold, the command that asks at once.

internal import DrayKit
internal import DrayStore

enum HoldText {
  /// `until 05:47: 127.0.0.1:8080 answered 429 Too Many Requests to job 1`.
  static func text(_ hold: OriginHold, now: Double) -> String {
    "until \(TimeStamp.moment(hold.until, now: now)): \(TextSafety.escaped(hold.reason))"
  }

  /// The command that ends a hold.
  static func ending(_ hold: OriginHold) -> String { "`dray limit --no-hold \(TextSafety.escaped(hold.host))`" }

  /// The hold that jobs of a run wait for: `[2] waits until …; `dray resume 2` asks now`.
  static func line(_ held: HeldJobs, now: Double) -> String {
    guard held.count > 1 else {
      return "[\(held.first)] waits \(text(held.hold, now: now)); `dray resume \(held.first)` asks now"
    }
    return "\(held.count) jobs wait \(text(held.hold, now: now)); \(ending(held.hold)) asks now"
  }

  /// The message on jobs that ask in spite of a hold:
  /// `127.0.0.1:8080 answered 429 Too Many Requests to job 1, on hold until …; asking once now for [1]`.
  static func asking(_ held: HeldJobs, now: Double) -> String {
    let time = TimeStamp.moment(held.hold.until, now: now)
    let jobs = held.count == 1 ? "[\(held.first)]" : "\(held.count) jobs"
    return "\(TextSafety.escaped(held.hold.reason)), on hold until \(time); asking once now for \(jobs)"
  }

  /// A line of `dray limit`: `on hold: 127.0.0.1:8080 until …`.
  static func status(_ hold: OriginHold, now: Double) -> String {
    "on hold: \(TextSafety.escaped(hold.host)) \(text(hold, now: now)) (\(ending(hold)) ends it)"
  }
}

/// The holds that the jobs of a list wait for: a line each below the table, where a narrow window has room for it.
struct ShownHolds {
  /// The time of the list, in seconds since 1970.
  let now: Double
  /// As the store has them: 100,000 jobs of one origin have the same text.
  private var texts: Set<String> = []
  private var holds: [OriginHold] = []

  init(now: Double) { self.now = now }

  /// Takes a job that is listed.
  mutating func add(_ job: JobSummary) {
    guard job.state == .queued, let text = job.holdText, texts.insert(text).inserted, let hold = job.hold,
      hold.isInForce(at: now)
    else { return }
    holds.append(hold)
  }

  /// `on hold: 127.0.0.1:8080 until …`, ordered by the ends of the holds.
  var lines: [String] {
    holds.sorted { ($0.until, $0.origin) < ($1.until, $1.origin) }.map { HoldText.status($0, now: now) }
  }
}
