// Decides whether a job may send its request to an origin that asked for a wait, or that accepts only a few more
// requests.

/// Knows from the answers of each origin how many requests it accepts at present. Origins are in their text form, and
/// times in seconds since 1970, as in the job store.
///
/// | the answer says | jobs of the origin |
/// |---|---|
/// | it asks to wait (``ServerWait/delay``) | none starts; the run records the hold, and gives back the claimed jobs |
/// | the hold is recorded | the store does not hand out jobs; the first one after the hold starts alone |
/// | it has `r` requests left | `r` minus the number that wait for an answer start |
/// | it has named no limit | all may start |
/// | the reset of its limit has passed | the first one starts alone |
/// | the last request on its way ended without an answer | one starts |
package struct RequestRoom: Sendable {
  private struct Entry {
    /// The number of requests that may be started.
    var left: Int
    var since: Double
    /// The time at which the hold ends or the limit is reset.
    var until: Double
    var isHold = false
    /// The lowest number of requests left that any answer has named before this reset. An answer that arrives later and
    /// names a higher number was sent earlier.
    var fewest = Int.max

    /// Whether a reset belongs to the window of this entry; resets are rounded to seconds, so they may differ a little
    /// within one window.
    func isSameWindow(_ reset: Double, at now: Double) -> Bool { !isHold && !isOver(at: now) && reset <= until + 1 }

    func isOver(at now: Double) -> Bool { now >= until || now < since }
  }

  private var entries: [String: Entry] = [:]
  private var holds: [String: OriginHold] = [:]

  /// The number of seconds for which the number of requests left applies, if the answer names no reset.
  private static let usualWindow: Int64 = 60
  /// If more requests than this are left, there is no limit, because no run starts so many at once.
  private static let most: Int64 = 1000

  /// Creates the value for the start of a run, when no origin has answered yet.
  package init() {}

  /// Whether nothing limits any job.
  package var isEmpty: Bool { entries.isEmpty && holds.isEmpty }

  /// The holds that the store does not have yet.
  package var pending: [OriginHold] { Array(holds.values) }

  /// Whether a job of `origin` may start.
  package func admits(_ origin: String, now: Double) -> Bool {
    guard holds[origin] == nil else { return false }
    return entries[origin].map { $0.left > 0 || $0.isOver(at: now) } ?? true
  }

  /// Returns the origins whose jobs may not start now.
  package func closed(now: Double) -> Set<String> {
    Set(holds.keys).union(entries.keys.lazy.filter { !admits($0, now: now) })
  }

  /// Records that an origin asks to wait. An existing hold that the store does not have is kept if it lasts longer.
  package mutating func hold(_ hold: OriginHold) {
    if let other = holds[hold.origin], other.until >= hold.until { return }
    // Requests that were on their way are refused as well, which says nothing new.
    if let known = entries[hold.origin], known.isHold, known.until + 1 >= hold.until { return }
    holds[hold.origin] = hold
  }

  /// Records that the store has these holds now.
  package mutating func recorded(_ known: [OriginHold]) {
    for hold in known where holds[hold.origin]?.until ?? 0 <= hold.until {
      holds[hold.origin] = nil
      put(Entry(left: 1, since: hold.since, until: hold.until, isHold: true), hold.origin)
    }
  }

  /// Records an answer.
  /// - Parameters:
  ///   - others: The number of other requests to the origin that have no answer yet, and that the origin may already
  ///     have counted.
  ///   - isOwn: Whether the origin itself answered, and not a server to which it redirects.
  package mutating func heard(_ wait: ServerWait, of origin: String, others: Int, isOwn: Bool, now: Double) {
    guard let remaining = wait.remaining, remaining <= RequestRoom.most else {
      // An answer to a request that was sent before the hold says nothing about the time after the hold.
      if isOwn, let entry = entries[origin], !entry.isHold || entry.isOver(at: now) { entries[origin] = nil }
      return
    }
    if let entry = entries[origin], entry.isHold, !entry.isOver(at: now), remaining == 0 { return }
    let until = now + Double(wait.reset ?? RequestRoom.usualWindow)
    var fewest = Int(remaining)
    // If no other request is waiting for an answer, this answer is the latest.
    if others > 0, let entry = entries[origin], entry.isSameWindow(until, at: now) {
      fewest = min(fewest, entry.fewest)
    }
    put(Entry(left: max(0, fewest - others), since: now, until: until, fewest: fewest), origin)
  }

  /// Records that a job starts.
  package mutating func started(_ origin: String, now: Double) {
    guard var entry = entries[origin] else { return }
    if entry.isOver(at: now) { entry = Entry(left: 1, since: now, until: .infinity) }
    entry.left = max(0, entry.left - 1)
    entries[origin] = entry
  }

  /// Records that a job leaves its slot while `others` requests of the origin wait for an answer.
  package mutating func left(_ origin: String, others: Int) {
    if others == 0, entries[origin]?.left == 0 { entries[origin]?.left = 1 }
  }

  private mutating func put(_ entry: Entry, _ origin: String) {
    // The memory is limited, because a long list may have many origins.
    if entries.count >= 1024, entries[origin] == nil { entries = [:] }
    entries[origin] = entry
  }
}
