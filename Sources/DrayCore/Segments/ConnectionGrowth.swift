// How many connections a file deserves: added while they help, dropped when they do not. Pure: it is given what has come
// and the time, in seconds of a clock that never goes back.

/// How many connections a file deserves: added while they help, dropped when they do not.
///
/// While the first connection is in slow start, its rate doubles each round trip whatever is opened beside it (RFC 5681
/// §3.1). So none is added before its rate has stopped growing. Then more are added as long as each step pays: a
/// number is compared with half as many, not with one less, so that noise is small compared with the difference. Where the
/// rate fell far below what the line gave before, packets are lost that are not ours, and more are added at once.
/// Those that are added begin with small pieces. If the step did not pay they end these and leave: closing them would lose
/// what is under way.
public struct ConnectionGrowth: Sendable {
  /// What is known at this moment.
  public struct Look: Sendable, Equatable {
    /// Connections that have received bytes.
    public var connections: Int
    /// Connections asked for that have no byte yet.
    public var opening: Int
    /// Bytes received in all since the start; grows.
    public var bytes: Int64
    /// Bytes that are missing.
    public var remaining: Int64
    /// Whether this process's own thread is the bottleneck.
    public var isSaturated: Bool
    /// Seconds from opening to the first byte, on average.
    public var latency: Double
    /// Packets that came out of order since the start, which they do after one that was lost; grows.
    public var outOfOrder: Int

    /// Creates a sample.
    public init(
      connections: Int, opening: Int, bytes: Int64, remaining: Int64, isSaturated: Bool = false, latency: Double = 0,
      outOfOrder: Int = 0
    ) {
      self.connections = connections
      self.opening = opening
      self.bytes = bytes
      self.remaining = remaining
      self.isSaturated = isSaturated
      self.latency = latency
      self.outOfOrder = outOfOrder
    }
  }

  private enum Phase {
    /// None is added before the rate has stopped growing.
    case warming
    /// More as long as they help.
    case growing
    /// No change; from time to time one more or some fewer are tried.
    case settled
    /// Fewer than `from`, which brought `base` bytes per second: is that as good?
    case dropping(from: Int, base: Double)
    /// One more than `from`, which brought `base` bytes per second: is that better?
    case adding(from: Int, base: Double)
  }

  /// The rate of late, in windows of about a round trip.
  private struct Course {
    private var last: (time: Double, bytes: Int64)?
    private var outOfOrder = 0
    /// Whether packets were lost, in each of these windows.
    private var losses: [Bool] = []
    /// Bytes per second of the newest windows.
    private(set) var rates: [Double] = []
    /// The most that two windows in a row brought.
    private(set) var peak = 0.0

    /// Whether nothing came for a while, once: the server sends in bursts. What comes at once says nothing of what will come.
    private(set) var isBursty = false

    private static let most = 4
    /// Seconds without a byte that are not a hole being filled, which takes some round trips: a server that sends in bursts.
    private static func pause(_ latency: Double) -> Double { min(0.3, max(0.1, 8 * latency)) }

    /// Whether a window has ended.
    mutating func look(_ look: Look, now: Double) -> Bool {
      let (bytes, latency) = (look.bytes, look.latency)
      guard let (time, before) = last else {
        last = (now, bytes)
        return false
      }
      guard now - time >= min(max(0.05, latency), 0.25) else { return false }
      // A hole that is filled lets the bytes of several windows come in one moment.
      if bytes == before {
        guard now - time >= Course.pause(latency) else { return false }
        isBursty = true
      }
      rates.append(Double(bytes - before) / (now - time))
      losses.append(look.outOfOrder > outOfOrder)
      outOfOrder = look.outOfOrder
      if rates.count > Course.most {
        rates.removeFirst()
        losses.removeFirst()
      }
      if rates.count > 1 { peak = max(peak, (rates[rates.count - 1] + rates[rates.count - 2]) / 2) }
      last = (now, bytes)
      return true
    }

    /// Whether the rate has stopped growing: twice in a row a window brought about what the one before did, or less.
    var isSteady: Bool {
      guard rates.count >= 3 else { return false }
      let recent = rates.suffix(3).map(\.self)
      return recent[1] <= 1.25 * recent[0] && recent[2] <= 1.25 * recent[1]
    }

    /// Whether far less comes than the line gave before, for several windows.
    var hasFallen: Bool { rates.count == Course.most && rate < 0.5 * peak && isSteady }

    /// Whether packets are lost again and again, though less comes than the line gave before: so it is not full.
    var isLossy: Bool {
      guard rates.count >= 3 else { return false }
      return losses.count(where: \.self) >= 2 && rate < 0.9 * peak || losses.contains(true) && rate < 0.75 * peak
    }

    /// Whether nothing came for a while: the server sends in bursts.
    var hasPauses: Bool { rates.contains(0) }

    /// The mean of the newest windows.
    var rate: Double { rates.isEmpty ? 0 : rates.reduce(0, +) / Double(rates.count) }

    /// Only what comes from now on says anything; `peak` is what the line gives.
    mutating func restart(peak: Double) { (rates, losses, last, self.peak) = ([], [], nil, peak) }
  }

  /// The most connections that there may be.
  public let ceiling: Int
  /// How many are opened before the first comparison: each source is tried.
  private let floor: Int
  /// Connections that are allowed now.
  public private(set) var limit: Int
  /// Connections that may stay until their pieces end, while `limit` may be lower: no more are opened.
  public private(set) var kept = 0
  /// Bytes of the piece that an added connection begins with; `nil` for its full share.
  public private(set) var firstPiece: Int64?
  /// The number that was found to help, once known: remembered for the origin.
  public private(set) var learned: Int?

  private var phase: Phase
  private var course = Course()
  /// What came when the rate had fallen last, and more were added for that.
  private var revived: Double?
  /// Nothing is added before: a server refused.
  private var held = 0.0
  /// Bytes per second of this number of connections.
  private var levels: [Int: Double] = [:]
  /// Since the number of connections last changed.
  private var step = (connections: 0, start: 0.0, bytes: Int64(0))
  private var openingSince: Double?
  /// The most connections that have had bytes since there were to be as many as now.
  private var reached = 0
  private var settledAt: Double?
  private var nextDrop = 0.0
  private var nextAdd = Double.infinity
  private var addInterval = 15.0

  /// At most `ceiling` connections; `learned` is what was found for this origin before; the file is available from this many
  /// `sources`, each of which may be the fast one.
  public init(ceiling: Int, learned: Int? = nil, sources: Int = 1) {
    self.ceiling = max(1, ceiling)
    floor = min(max(1, sources), self.ceiling)
    self.learned = learned
    limit = max(1, min(learned ?? 1, self.ceiling))
    phase = learned == nil && self.ceiling > 1 ? .warming : .settled
  }

  /// Adds a sample, which may change `limit`.
  public mutating func look(_ look: Look, now: Double) {
    if case .settled = phase, settledAt == nil {
      settledAt = now
      nextAdd = now + addInterval
    }
    if look.connections + look.opening <= limit { kept = 0 }
    if course.look(look, now: now), revive(look, now) { return }
    guard look.opening == 0 else {
      // One in place of another that has its piece changes little: what the line gives can still be seen.
      if !isReplacing(look) { course.restart(peak: course.peak) }
      return waitForBytes(look, now)
    }
    reached = look.connections == limit ? limit : max(reached, min(look.connections, limit))
    openingSince = nil
    guard look.connections == step.connections else {
      step = (look.connections, now, look.bytes)
      return
    }
    guard look.connections == limit, look.connections > 0, now > step.start else { return }
    let rate = Double(look.bytes - step.bytes) / (now - step.start)
    switch phase {
    case .warming: warm(look, now)
    case .growing: grow(look, rate, now)
    case .settled: retest(look, rate, now)
    case .dropping(let from, let base):
      guard now - step.start >= 2 else { return }
      let share = Double(from - limit) / Double(from)
      if rate < base * (1 - share / 2) {
        settle(at: from, now)
        nextDrop = now + 60
      } else {
        learned = limit
        settle(at: limit, now)
      }
    case .adding(let from, let base):
      guard now - step.start >= max(1, 5 * look.latency) else { return }
      if rate >= base * (1 + 0.4 / Double(from)) {
        levels = [from: base, limit: rate]
        addInterval = 15
        raise(now)
      } else {
        settle(at: from, now)
      }
    }
  }

  /// Whether those that are being opened only take the place of others.
  private func isReplacing(_ look: Look) -> Bool { look.connections + look.opening <= reached }

  /// A server refused or cut a connection (429, 503, reset) while `connections` others continue: no more than those until
  /// `until`, by default for ten seconds.
  public mutating func refused(connections: Int, now: Double, until: Double?) {
    limit = max(1, min(connections, ceiling))
    learned = limit
    settle(at: limit, now)
    nextAdd = max(until ?? now + 10, now)
    held = nextAdd
  }

  // MARK: Growing

  /// Adds the first ones, once the rate has stopped growing, if that may be worth it.
  private mutating func warm(_ look: Look, _ now: Double) {
    guard limit >= floor else { return raise(now, by: floor - limit) }
    let rate = course.rates.suffix(2).reduce(0, +) / 2
    guard course.isSteady || course.hasPauses, !look.isSaturated,
      isWorthwhile(look, rate, seconds: ConnectionGrowth.worthwhile)
    else { return }
    levels = [limit: rate]
    firstPiece = trialPiece(rate)
    raise(now, by: limit)
  }

  /// What an added connection begins with, where so much comes over all there are.
  private func trialPiece(_ rate: Double) -> Int64? {
    // A burst would be over before it says anything.
    course.isBursty
      ? nil : max(ConnectionGrowth.smallestTrial, Int64(rate / Double(limit) * ConnectionGrowth.trial))
  }

  /// Adds several where far less comes than the line gave before: packets are lost that are not ours, or the server sends in
  /// bursts.
  /// - Returns: whether it did.
  private mutating func revive(_ look: Look, _ now: Double) -> Bool {
    switch phase {
    case .warming, .growing, .settled: break
    case .dropping, .adding: return false
    }
    guard course.hasFallen || course.isLossy, !look.isSaturated, look.opening == 0 || isReplacing(look),
      limit < ceiling,
      now >= held, course.rate <= Double(look.remaining)
    else { return false }
    // Where the last step like this brought nothing, that is what the line gives now.
    let rate = course.rate
    if let revived, rate < revived, !course.isLossy {
      course.restart(peak: rate)
      return false
    }
    revived = rate
    levels = [limit: rate]
    firstPiece = nil
    raise(now, by: 3 * limit)
    course.restart(peak: course.peak)
    return true
  }

  /// Whether enough is left for more connections: `seconds` of what comes now, or, where that comes in bursts, some of it for
  /// each.
  private func isWorthwhile(_ look: Look, _ rate: Double, seconds: Double) -> Bool {
    course.isBursty
      ? look.remaining >= 2 * Int64(limit) * ConnectionGrowth.smallestShare : rate * seconds <= Double(look.remaining)
  }

  /// Seconds that must be left for a step that may bring nothing.
  private static let worthwhile = 2.0
  /// Bytes of a burst that are worth a connection.
  private static let smallestShare: Int64 = 1 << 19

  private mutating func grow(_ look: Look, _ rate: Double, _ now: Double) {
    let elapsed = now - step.start
    guard elapsed >= max(0.03, min(2 * look.latency, 0.3)), !look.isSaturated, isWorthwhile(look, rate, seconds: 1)
    else { return }
    guard limit >= floor else { return raise(now, by: floor - limit) }
    let half = limit > floor ? max(limit / 2, floor) : limit / 2
    guard let (fewer, before) = levels.filter({ $0.key <= half && $0.value > 0 }).max(by: { $0.key < $1.key }) else {
      levels[limit] = rate
      return raise(now, by: limit)
    }
    let help = (rate / before - 1) / (Double(limit) / Double(fewer) - 1)
    if help >= 0.4 {
      levels[limit] = rate
      // Where each brings nearly as much as the ones before, there is room for many.
      firstPiece = trialPiece(rate)
      raise(now, by: limit)
    } else if rate < 0.75 * before {
      // Less than from fewer: a server that sends in bursts. There is room.
      raise(now, by: limit)
    } else if elapsed >= max(1.05, 8 * look.latency) {
      // A whole second has been seen, and with it the pauses of a server that counts in seconds; and the slow start of those
      // that were added is over.
      levels[limit] = rate
      if rate >= before * ConnectionGrowth.pays, limit < ceiling { return raise(now, by: limit) }
      // The fewest that bring as much as any number did.
      let best = levels.values.max() ?? rate
      let enough = levels.filter { $0.value >= 0.9 * best }.keys.min() ?? fewer
      learned = enough
      kept = limit
      settle(at: enough, now)
    }
  }

  /// Seconds that the first piece of an added connection lasts: somewhat longer than it takes to judge it.
  private static let trial = 1.5
  /// Bytes that it has at least.
  private static let smallestTrial: Int64 = 1 << 20
  /// What a step must bring, compared with half as many or less.
  private static let pays = 1.1

  private mutating func raise(_ now: Double, by more: Int = 1) {
    if limit < ceiling {
      limit = min(limit + more, ceiling)
      phase = .growing
    } else {
      learned = ceiling
      settle(at: ceiling, now)
    }
  }

  private mutating func settle(at connections: Int, _ now: Double) {
    // A second try of the same number waits twice as long.
    if case .adding = phase { addInterval *= 2 }
    limit = connections
    firstPiece = nil
    phase = .settled
    settledAt = now
    nextDrop = now + 3
    nextAdd = now + addInterval
  }

  private mutating func waitForBytes(_ look: Look, _ now: Double) {
    // A number of connections cannot be judged before it is reached; the step begins then.
    step = (0, now, look.bytes)
    let since = openingSince ?? now
    openingSince = since
    guard now - since > 3 else { return }
    switch phase {
    case .growing:
      learned = max(1, look.connections)
      settle(at: max(1, look.connections), now)
    case .adding(let from, _): settle(at: from, now)
    case .warming, .settled, .dropping: break
    }
  }

  // MARK: Settled

  private mutating func retest(_ look: Look, _ rate: Double, _ now: Double) {
    // In whole seconds, as servers that send in bursts count.
    let elapsed = now - step.start
    guard elapsed >= 3, elapsed - elapsed.rounded(.down) < 0.2, rate > 0 else { return }
    let left = Double(look.remaining) / rate
    let fewer = max(1, limit / 4)
    if now >= nextAdd, limit < ceiling, left > 5, !look.isSaturated {
      phase = .adding(from: limit, base: rate)
      limit += 1
    } else if now >= nextDrop, limit > 1, Double(fewer) / Double(limit) * 2 <= 0.02 * left {
      phase = .dropping(from: limit, base: rate)
      limit -= fewer
    }
  }
}
