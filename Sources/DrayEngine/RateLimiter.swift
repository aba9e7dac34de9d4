// A limit on bytes a second, fair between those who share it.

internal import Synchronization

/// A rate limit that any number of connections share, on any thread; it may change while they run.
///
/// Time turns into bytes, and those go in even parts to whoever waits for some (max-min fairness): first between groups,
/// the connections of one job, then within them. So a job gets no more for having eight connections, and what one does
/// not take is for the others. Nobody stands in a line, so that a change counts at once for all.
public final class RateLimiter: Sendable {
  /// Seconds of time in which nobody waited that count later, so that a short pause of the sender costs no rate.
  private static let slack = 0.1
  /// Seconds after which a thread that was held up is given no more.
  private static let longestGap = 1.0
  /// Who waits is to get so many bytes at once, if that takes no shorter and no longer than these seconds.
  private static let quantum = 16_384.0
  private static let waits = 0.01...0.05
  /// What is worth waiting for beyond that, and for how long.
  private static let (least, longestWait) = (512.0, 0.1)

  fileprivate struct State {
    var bytesPerSecond: Double?
    /// Counts the changes of the limit.
    var generation = 0
    /// Up to when time has turned into bytes; `nil` before the first.
    var time: Double?
    /// Bytes of a time in which nobody waited.
    var spare = 0.0
    /// Groups in which somebody waits.
    var waiting = 0
    /// Bytes that each of them has got since the beginning.
    var clock = 0.0
    var groups: [ObjectIdentifier: Group] = [:]
  }

  /// Those who share what one gets. Touched under the limiter's lock only.
  fileprivate final class Group: @unchecked Sendable {
    var members = 0
    /// Members who wait.
    var waiting = 0
    /// Bytes that each of them has got since the beginning.
    var clock = 0.0
    /// The limiter's clock up to which they got them.
    var mark = 0.0
  }

  /// A connection's part in a limit. What is in it is touched under the limiter's lock only.
  final class Share: @unchecked Sendable {
    let limiter: RateLimiter
    private let key: ObjectIdentifier?
    private let group: Group
    /// Bytes that it got and has not taken.
    private var credit = 0.0
    private var mark = 0.0
    private var isWaiting = false
    private(set) var generation = 0

    fileprivate init(_ limiter: RateLimiter, _ key: ObjectIdentifier?, _ group: Group) {
      (self.limiter, self.key, self.group) = (limiter, key, group)
    }

    deinit { limiter.state.withLock { leave(&$0) } }

    /// Takes up to `count` bytes.
    /// - Returns: how many may be taken now, and, if not all, how many seconds to wait before asking for more.
    func take(_ count: Int, now: Double) -> (count: Int, wait: Double) {
      limiter.state.withLock { state in
        guard let rate = state.bytesPerSecond, rate > 0 else {
          generation = state.generation
          setWaiting(false, &state)
          return (count, 0)
        }
        state.advance(to: now)
        update(state)
        if generation != state.generation { (generation, credit) = (state.generation, 0) }
        let taken = Int(min(Double(count), credit + state.spare))
        let fromSpare = max(0, Double(taken) - credit)
        credit -= Double(taken) - fromSpare
        state.spare -= fromSpare
        setWaiting(taken < count, &state)
        return (taken, taken < count ? wait(for: count - taken, rate, state) : 0)
      }
    }

    /// Gives back bytes that were taken, and could not be used.
    func giveBack(_ count: Int) { limiter.state.withLock { _ in credit += Double(count) } }

    private func wait(for count: Int, _ rate: Double, _ state: State) -> Double {
      let own = rate / Double(max(1, state.waiting)) / Double(max(1, group.waiting))
      let wanted = (min(Double(count), RateLimiter.quantum) - credit) / own
      let least = min(max(RateLimiter.waits.upperBound, RateLimiter.least / own), RateLimiter.longestWait)
      return min(max(wanted, RateLimiter.waits.lowerBound), least)
    }

    /// Takes in what came since the last time.
    private func update(_ state: State) {
      guard group.waiting > 0 else { return }
      group.clock += (state.clock - group.mark) / Double(group.waiting)
      group.mark = state.clock
      guard isWaiting else { return }
      credit += group.clock - mark
      mark = group.clock
    }

    private func setWaiting(_ waits: Bool, _ state: inout State) {
      guard waits != isWaiting else { return }
      update(state)
      isWaiting = waits
      if waits {
        if group.waiting == 0 {
          group.mark = state.clock
          state.waiting += 1
        }
        group.waiting += 1
        mark = group.clock
      } else {
        group.waiting -= 1
        if group.waiting == 0 { state.waiting -= 1 }
      }
    }

    private func leave(_ state: inout State) {
      setWaiting(false, &state)
      group.members -= 1
      if group.members == 0, let key { state.groups[key] = nil }
    }
  }

  fileprivate let state: Mutex<State>
  private let changes = Atomic<Int>(0)

  /// Makes a limit; `nil` is none.
  public init(bytesPerSecond: Int64?) {
    state = Mutex(State(bytesPerSecond: bytesPerSecond.map(Double.init)))
  }

  /// Changes the limit. Nobody waits for what was due under the old limit nor gains from it.
  public func setLimit(_ bytesPerSecond: Int64?) {
    let wanted = bytesPerSecond.map(Double.init)
    state.withLock { state in
      guard state.bytesPerSecond != wanted else { return }
      state.bytesPerSecond = wanted
      state.generation += 1
      (state.time, state.spare) = (nil, 0)
      changes.store(state.generation, ordering: .releasing)
    }
  }

  /// Counts the changes of the limit.
  var generation: Int { changes.load(ordering: .acquiring) }

  /// Whether somebody waits at this moment: more connections would bring no more.
  var isBinding: Bool { state.withLock { $0.waiting > 0 } }

  /// Takes part.
  /// - Parameter group: those with the same one share what one of the others gets; `nil` is a group of its own.
  func join(_ group: AnyObject? = nil) -> Share {
    state.withLock { state in
      let key = group.map { ObjectIdentifier($0) }
      let found = key.flatMap { state.groups[$0] } ?? Group()
      if let key { state.groups[key] = found }
      found.members += 1
      return Share(self, key, found)
    }
  }
}

extension RateLimiter.State {
  /// Turns the time since the last time into bytes.
  fileprivate mutating func advance(to now: Double) {
    guard let rate = bytesPerSecond else { return }
    let bytes = rate * min(max(0, now - (time ?? now)), RateLimiter.longestGap)
    time = max(now, time ?? now)
    if waiting > 0 { clock += bytes / Double(waiting) } else { spare = min(spare + bytes, rate * RateLimiter.slack) }
  }
}
