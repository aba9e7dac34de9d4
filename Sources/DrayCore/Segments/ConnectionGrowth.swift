// Decides how many connections a file gets: adds connections while they help, and drops them when they do not. The
// inputs are samples and the time, in seconds of a monotonic clock.

/// Decides the number of connections of a file.
///
/// On a long line, the other connections may be opened as soon as the first has an answer, by ``ConnectionOpening``.
/// Otherwise no connection is added before the rate of the first has stopped growing: while it is in slow start, its
/// rate doubles each round trip, however many connections are opened beside it (RFC 5681 §3.1). After that, connections
/// are added as long as each step pays. Each number is compared with half as many connections, because the
/// difference to one less is hidden in noise. Files of the same origin share a line, so one of them may gain at the
/// others' expense: only the gain of all together counts. If the rate falls far below the line's earlier rate, packets
/// are lost for reasons other than this program's load, and more connections are added at once. No connection is added
/// that would leave its own slow start when the file is nearly complete. Added connections begin with small pieces. If
/// the step did not pay, they finish these pieces before they close, so that no bytes in flight are lost.
package struct ConnectionGrowth: Sendable {
  /// The measured state of the line with some number of this file's connections.
  private struct Level {
    /// The rate of all files together in bytes per second.
    var rate: Double
    /// The number of connections of all files together.
    var connections: Int

    init(_ rate: Double, _ look: Look) { (self.rate, connections) = (rate, look.line.connections) }
  }

  private enum Phase {
    /// Nothing has been measured.
    case beginning
    /// No connection is added before the rate has stopped growing.
    case warming
    /// Connections are added as long as they help.
    case growing
    /// The number stays, but from time to time one more or some fewer connections are tried.
    case settled
    /// Fewer than `from` connections are tried, whose level was `base`.
    case dropping(from: Int, base: Level)
    /// One more than `from` connections is tried, whose level was `base`.
    case adding(from: Int, base: Level)
  }

  /// The maximum number of connections.
  package let ceiling: Int
  /// The number of connections that are opened before the first comparison, so that each source is tried.
  private let floor: Int
  /// The number of connections that are allowed now.
  package private(set) var limit: Int
  /// The number of connections that may finish their pieces although it exceeds `limit`. No new ones are opened.
  package private(set) var kept = 0
  /// The length in bytes of the first piece of an added connection; `nil` for its full share.
  package private(set) var firstPiece: Int64?
  /// The number of connections that was found to help, which is remembered for the origin; `nil` if it is not known
  /// yet.
  package private(set) var learned: Int?

  private var phase: Phase
  private var (course, line) = (Course(), Course())
  /// The highest rate of the line at the time when connections were last added because the rate had fallen.
  private var revived: Double?
  /// How often connections were added again without reaching a higher rate.
  private var futile = 0
  /// How many connections a server accepted when it refused another one, and until when this is the limit.
  private var accepted: (connections: Int, until: Double)?
  /// Until this time, no connection is added, because a server refused one.
  private var held = 0.0
  /// The measured states of the line, by number of connections.
  private var levels: [Int: Level] = [:]
  /// The present number of connections, the time when it was reached, and the bytes that the line had received by then.
  private var step = (connections: 0, start: 0.0, bytes: Int64(0))
  private var openingSince: Double?
  /// The highest number of connections, up to `limit`, that have received bytes at once.
  private var reached = 0
  private var settledAt: Double?
  private var nextDrop = 0.0
  private var nextAdd = Double.infinity
  private var addInterval = 15.0

  /// Creates the decision for one file.
  /// - Parameters:
  ///   - ceiling: The maximum number of connections.
  ///   - learned: The number that was found to help for this origin before.
  ///   - sources: The number of the file's URLs. Any of them may be the fast one.
  package init(ceiling: Int, learned: Int? = nil, sources: Int = 1) {
    self.ceiling = max(1, ceiling)
    floor = min(max(1, sources), self.ceiling)
    self.learned = learned
    limit = max(1, min(learned ?? 1, self.ceiling))
    phase = learned == nil && self.ceiling > 1 ? .beginning : .settled
  }

  /// Returns the seconds between two samples while the number grows: at most half a window in which the rate is measured.
  /// - Parameter latency: Seconds from opening a connection to its first byte.
  package static func interval(latency: Double) -> Double { max(0.01, min(latency / 2, 0.03)) }

  /// Adds a sample. The sample may change `limit`.
  package mutating func look(_ look: Look, now: Double) {
    if case .settled = phase, settledAt == nil {
      settledAt = now
      nextAdd = now + addInterval
    }
    if case .beginning = phase, look.connections > 0 {
      phase = .warming
      if begin(look, now) { return }
    }
    if look.connections + look.opening <= limit { kept = 0 }
    _ = course.look(look.bytes, outOfOrder: 0, latency: look.latency, now: now)
    let hasMoved = line.look(look.line.bytes, outOfOrder: look.line.outOfOrder, latency: look.latency, now: now)
    if hasMoved, revive(look, now) { return }
    guard look.opening == 0 else {
      // A connection that replaces another hardly disturbs the measured rate.
      if !isReplacing(look) {
        course.restart(peak: course.peak)
        line.restart(peak: line.peak)
      }
      return waitForBytes(look, now)
    }
    reached = look.connections == limit ? limit : max(reached, min(look.connections, limit))
    openingSince = nil
    guard look.connections == step.connections else {
      step = (look.connections, now, look.line.bytes)
      return
    }
    guard look.connections == limit, look.connections > 0, now > step.start else { return }
    let rate = Double(look.line.bytes - step.bytes) / (now - step.start)
    switch phase {
    case .beginning: break
    case .warming: warm(look, now)
    case .growing: grow(look, rate, now)
    case .settled: retest(look, rate, now)
    case .dropping(let from, let base):
      guard now - step.start >= 2 else { return }
      let share = Double(from - limit) / Double(base.connections)
      if rate < base.rate * (1 - share / 2) {
        settle(at: from, now)
        nextDrop = now + 60
      } else {
        learned = limit
        settle(at: limit, now)
      }
    case .adding(let from, let base):
      guard now - step.start >= max(1, 5 * look.latency) else { return }
      if rate >= base.rate * (1 + 0.4 / Double(base.connections)) {
        levels = [from: base, limit: Level(rate, look)]
        addInterval = 15
        raise(now)
      } else {
        settle(at: from, now)
      }
    }
  }

  /// Whether the connections that are being opened only replace others.
  private func isReplacing(_ look: Look) -> Bool { look.connections + look.opening <= reached }

  /// Records that the file's only server refused or cut a connection (429, 503, reset) while `connections` others
  /// continue, or that several servers together accept only this number. The number is the limit until `until`, by
  /// default for ten seconds. If only one of several servers refuses, ``ServerLimits`` records it instead.
  package mutating func refused(connections: Int, now: Double, until: Double?) {
    limit = max(1, min(connections, ceiling))
    learned = limit
    settle(at: limit, now)
    nextAdd = max(until ?? now + 10, now)
    held = nextAdd
    accepted = (limit, now + 60)
  }

  // MARK: Growing

  /// Opens the other connections at once if that is worthwhile. Files that share a line have several connections
  /// anyway.
  private mutating func begin(_ look: Look, _ now: Double) -> Bool {
    guard look.isAlone, !look.isSaturated, limit >= floor, now >= held,
      let opening = ConnectionOpening(
        remaining: look.remaining, most: ceiling - limit, roundTrip: look.roundTrip, setUp: look.setUp)
    else { return false }
    firstPiece = opening.piece
    raise(now, by: opening.more)
    return true
  }

  /// Once the rate has stopped growing, adds the first connections if they may be worthwhile.
  private mutating func warm(_ look: Look, _ now: Double) {
    guard limit >= floor else { return raise(now, by: floor - limit) }
    let rate = course.newest
    guard course.isSteady || course.hasPauses, !look.isSaturated,
      isWorthwhile(look, rate, seconds: max(ConnectionGrowth.worthwhile, 2 * slowStart(look, rate)))
    else { return }
    levels = [limit: Level(line.newest, look)]
    firstPiece = trialPiece(rate)
    raise(now, by: limit)
  }

  /// The size of an added connection's first piece in bytes, from the rate of all connections of this file; `nil` for
  /// its full share.
  private func trialPiece(_ rate: Double) -> Int64? {
    // A single burst would fill the piece, so the piece would not show the rate.
    course.isBursty
      ? nil : max(ConnectionGrowth.smallestTrial, Int64(rate / Double(limit) * ConnectionGrowth.trial))
  }

  /// Adds several connections if the rate is far below the line's earlier rate although this program does not overload
  /// the line, or if the server sends in bursts.
  /// - Returns: Whether connections were added.
  private mutating func revive(_ look: Look, _ now: Double) -> Bool {
    switch phase {
    case .beginning, .warming, .growing, .settled: break
    case .dropping, .adding: return false
    }
    // Files that share a line overflow its queue together, so their losses only show that the line is full.
    let isLossy = line.isLossy && look.isAlone
    guard isLossy || line.hasFallen, !look.isSaturated, look.opening == 0 || isReplacing(look), limit < ceiling,
      now >= held
    else { return false }
    let rate = isLossy ? line.recent : line.rate
    let ramp = slowStart(look, rate / Double(max(1, look.line.connections)))
    guard look.own(rate) * (isLossy ? max(1, ramp) : 2 * max(1, ramp)) <= Double(look.remaining) else { return false }
    // The connections that were just added may be the cause of the losses, if fewer had a higher rate.
    let present = limit
    if case .growing = phase, levels.contains(where: { $0.key < present && $0.value.rate >= rate }) {
      return false
    }
    let most = accepted.flatMap { now < $0.until ? $0.connections : nil } ?? ceiling
    // If adding connections did not raise the rate, this rate is now the line's.
    if let revived, rate < 1.1 * revived {
      guard isLossy, futile < ConnectionGrowth.mostFutile else {
        line.restart(peak: rate)
        return false
      }
      futile += 1
    }
    guard limit < most else { return false }
    revived = max(revived ?? 0, rate)
    levels = [limit: Level(rate, look)]
    firstPiece = nil
    // Fewer connections are added if other files share the line, because all of them react to the same losses at the
    // same time.
    raise(now, by: min(look.isAlone ? 3 * limit : limit, most - limit))
    course.restart(peak: course.peak)
    line.restart(peak: line.peak)
    return true
  }

  /// The maximum number of times that connections are added again after losses without a higher rate.
  private static let mostFutile = 2

  /// Returns the seconds that a new connection needs to reach a rate: two round trips for the first answer, and one for
  /// each doubling.
  private func slowStart(_ look: Look, _ rate: Double) -> Double {
    let roundTrip = look.roundTrip
    var (window, doublings) = (ConnectionOpening.firstWindow, 0)
    while window < rate * roundTrip, doublings < 40 { (window, doublings) = (2 * window, doublings + 1) }
    return look.latency + roundTrip * Double(doublings)
  }

  /// Whether enough bytes are missing for more connections: at least `seconds` at the present rate. If the server sends
  /// in bursts, each connection must get a minimum share instead.
  private func isWorthwhile(_ look: Look, _ rate: Double, seconds: Double) -> Bool {
    course.isBursty
      ? look.remaining >= 2 * Int64(limit) * ConnectionGrowth.smallestShare : rate * seconds <= Double(look.remaining)
  }

  /// More connections are tried only if the transfer will take at least this many more seconds.
  private static let worthwhile = 3.0
  /// If the server sends in bursts, each connection must get at least this many bytes.
  private static let smallestShare: Int64 = 1 << 19

  private mutating func grow(_ look: Look, _ rate: Double, _ now: Double) {
    let elapsed = now - step.start
    guard elapsed >= max(0.03, min(2 * look.latency, 0.3)), !look.isSaturated,
      isWorthwhile(look, look.own(rate), seconds: 1)
    else { return }
    guard limit >= floor else { return raise(now, by: floor - limit) }
    let half = limit > floor ? max(limit / 2, floor) : limit / 2
    guard let (fewer, before) = levels.filter({ $0.key <= half && $0.value.rate > 0 }).max(by: { $0.key < $1.key })
    else {
      levels[limit] = Level(rate, look)
      return raise(now, by: limit)
    }
    let added = Double(look.line.connections) / Double(max(1, before.connections)) - 1
    guard added > 0.01 || look.isAlone else {
      // Other files have closed as many connections as were added, so the rates cannot be compared, and the measurement
      // starts again at this level.
      levels = [limit: Level(rate, look)]
      step = (look.connections, now, look.line.bytes)
      return
    }
    let help = added > 0.01 ? (rate / before.rate - 1) / added : 0
    if help >= 0.4 {
      // The added connections may still be in slow start, so the newest windows are used, which show the rate that they
      // are about to reach.
      let newest = line.count >= 2 ? max(rate, line.newest) : rate
      levels[limit] = Level(newest, look)
      // Many connections are added if each new one is nearly as fast as those before, because in that case the line has
      // room. The same is done if answers take long, because each comparison takes long then.
      let isWide = (newest / before.rate - 1) / added >= 0.8 && look.latency >= 0.1
      firstPiece = isWide ? nil : trialPiece(look.own(rate))
      raise(now, by: isWide ? 3 * limit : limit)
    } else if rate < 0.75 * before.rate, course.isBursty {
      // If the rate is below that of fewer connections, the server sends in bursts, and the line has room.
      raise(now, by: limit)
    } else if elapsed >= max(1.05, 8 * look.latency) {
      // A whole second includes the pauses of servers that count in seconds, and the slow start of the added
      // connections.
      levels[limit] = Level(rate, look)
      if rate >= before.rate * ConnectionGrowth.pays, limit < ceiling { return raise(now, by: limit) }
      // The lowest number of connections whose rate is about the highest of all.
      let best = levels.values.map(\.rate).max() ?? rate
      let enough = levels.filter { $0.value.rate >= 0.9 * best }.keys.min() ?? fewer
      learned = enough
      kept = limit
      // The connections that are closed now may have lowered the rate, so the rate before them is used for the
      // comparison.
      if let base = levels[enough] { line.restart(peak: base.rate) }
      settle(at: enough, now)
    }
  }

  /// The seconds for which an added connection's first piece should last: somewhat longer than it takes to judge the
  /// connection.
  private static let trial = 1.5
  /// The minimum length of that piece in bytes.
  private static let smallestTrial: Int64 = 1 << 20
  /// More connections are added only if the rate exceeds that of half as many by this factor.
  private static let pays = 1.1

  private mutating func raise(_ now: Double, by more: Int = 1) {
    if limit < ceiling {
      limit = min(limit + more, ceiling)
      phase = .growing
    } else {
      // Only a number that was compared with another one is remembered.
      if levels.count > 1 { learned = ceiling }
      settle(at: ceiling, now)
    }
  }

  private mutating func settle(at connections: Int, _ now: Double) {
    // The next trial of one more connection comes after twice the time.
    if case .adding = phase { addInterval *= 2 }
    limit = connections
    firstPiece = nil
    phase = .settled
    settledAt = now
    nextDrop = now + 3
    nextAdd = now + addInterval
  }

  private mutating func waitForBytes(_ look: Look, _ now: Double) {
    // A number of connections can be judged only once it is reached, so the measurement begins at that moment.
    step = (0, now, look.line.bytes)
    let since = openingSince ?? now
    openingSince = since
    guard now - since > 3 else { return }
    switch phase {
    case .growing:
      learned = max(1, look.connections)
      settle(at: max(1, look.connections), now)
    case .adding(let from, _): settle(at: from, now)
    case .beginning, .warming, .settled, .dropping: break
    }
  }

  // MARK: Settled

  private mutating func retest(_ look: Look, _ rate: Double, _ now: Double) {
    // The measurement takes whole seconds, because servers that send in bursts count in seconds.
    let elapsed = now - step.start
    guard elapsed >= 3, elapsed - elapsed.rounded(.down) < 0.2, rate > 0 else { return }
    let left = Double(look.remaining) / look.own(rate)
    let fewer = max(1, limit / 4)
    if now >= nextAdd, limit < ceiling, left > 5, !look.isSaturated {
      phase = .adding(from: limit, base: Level(rate, look))
      limit += 1
    } else if now >= nextDrop, limit > 1, Double(fewer) / Double(limit) * 2 <= 0.02 * left {
      phase = .dropping(from: limit, base: Level(rate, look))
      limit -= fewer
    }
  }
}
