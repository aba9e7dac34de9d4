// How many connections a file deserves: added while they help, dropped when they do not. Pure: it is told what has come
// and the time, in seconds of a clock that never goes back.

/// How many connections a file deserves: added while they help, dropped when they do not.
///
/// One is added at a time. Each number is compared with half as many, not with one less, so that noise is small beside
/// the difference. Connections that did not help are closed.
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

    /// Creates a sample.
    public init(
      connections: Int, opening: Int, bytes: Int64, remaining: Int64, isSaturated: Bool = false, latency: Double = 0
    ) {
      self.connections = connections
      self.opening = opening
      self.bytes = bytes
      self.remaining = remaining
      self.isSaturated = isSaturated
      self.latency = latency
    }
  }

  private enum Phase {
    /// One more as long as it helps.
    case growing
    /// No change; from time to time one more or some fewer are tried.
    case settled
    /// More than these did not seem to help. Was their earlier rate only a burst at the beginning?
    case verifying(from: Int, base: Double)
    /// Fewer than `from`, which brought `base` bytes per second: is that as good?
    case dropping(from: Int, base: Double)
    /// One more than `from`, which brought `base` bytes per second: is that better?
    case adding(from: Int, base: Double)
  }

  /// The most connections that there may be.
  public let ceiling: Int
  /// How many are opened before the first comparison: each source is tried.
  private let floor: Int
  /// Connections that are allowed now.
  public private(set) var limit: Int
  /// The number that was found to help, once known: remembered for the origin.
  public private(set) var learned: Int?

  private var phase: Phase
  /// Bytes per second of this number of connections.
  private var levels: [Int: Double] = [:]
  /// Since the number of connections last changed.
  private var step = (connections: 0, start: 0.0, bytes: Int64(0))
  private var openingSince: Double?
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
    phase = learned == nil ? .growing : .settled
    if learned == nil, self.ceiling == 1 { phase = .settled }
  }

  /// Adds a sample, which may change `limit`.
  public mutating func look(_ look: Look, now: Double) {
    if case .settled = phase, settledAt == nil {
      settledAt = now
      nextAdd = now + addInterval
    }
    guard look.opening == 0 else { return waitForBytes(look, now) }
    openingSince = nil
    guard look.connections == step.connections else {
      step = (look.connections, now, look.bytes)
      return
    }
    guard look.connections == limit, look.connections > 0, now > step.start else { return }
    let rate = Double(look.bytes - step.bytes) / (now - step.start)
    switch phase {
    case .growing: grow(look, rate, now)
    case .settled: retest(look, rate, now)
    case .verifying(let from, let base):
      guard now - step.start >= max(0.5, 5 * look.latency) else { return }
      if from > limit, rate < base * (1 - Double(from - limit) / Double(from) / 2) {
        levels = [limit: rate, from: base]
        limit = from
        raise(now)
      } else {
        learned = limit
        settle(at: limit, now)
      }
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

  /// A server refused or cut a connection (429, 503, reset) while `connections` others continue: no more than those until
  /// `until`, by default for ten seconds.
  public mutating func refused(connections: Int, now: Double, until: Double?) {
    limit = max(1, min(connections, ceiling))
    learned = limit
    settle(at: limit, now)
    nextAdd = max(until ?? now + 10, now)
  }

  // MARK: Growing

  private mutating func grow(_ look: Look, _ rate: Double, _ now: Double) {
    let elapsed = now - step.start
    guard elapsed >= max(0.03, min(2 * look.latency, 0.3)), !look.isSaturated, rate * 1.5 <= Double(look.remaining)
    else { return }
    guard limit >= floor else { return raise(now, by: floor - limit) }
    let half = limit > floor ? max(limit / 2, floor) : limit / 2
    guard let (fewer, before) = levels.filter({ $0.key <= half && $0.value > 0 }).max(by: { $0.key < $1.key }) else {
      levels[limit] = rate
      return raise(now)
    }
    let help = (rate / before - 1) / (Double(limit) / Double(fewer) - 1)
    if help >= 0.4 {
      levels[limit] = rate
      // Where each brings nearly as much as the ones before, more are added at once.
      raise(now, by: help >= 0.8 ? max(1, limit / 2) : 1)
    } else if rate < 0.75 * before {
      // Less than from half as many: a server that sends in bursts. There is room.
      raise(now)
    } else if elapsed >= max(1.05, 5 * look.latency) {
      // A whole second has been seen, and with it the pauses of a server that counts in seconds.
      // The fewest that bring as much as any number did.
      let best = max(rate, levels.values.max() ?? rate)
      let enough = levels.filter { $0.value >= 0.9 * best }.keys.min() ?? fewer
      phase = .verifying(from: limit, base: rate)
      limit = enough
    }
  }

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
    case .settled, .verifying, .dropping: break
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
