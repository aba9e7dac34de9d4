// A limit on bytes a second, fair between those who share it.

internal import Synchronization

/// A rate limit as a line of reservations: whoever has bytes to take reserves their time on the line and waits for
/// it, so that the order of asking is the order of going (generic cell rate algorithm). Shared by any number of
/// transfers; the limit may change while they run.
public final class RateLimiter: Sendable {
  private struct State {
    var bytesPerSecond: Double?
    /// The time at which all that was reserved will have gone.
    var next = -Double.infinity
  }

  /// Seconds of unused time that count later, so that a short pause of the sender costs no rate.
  private static let slack = 0.1

  private let state: Mutex<State>
  private let changes = Atomic<Int>(0)

  /// Makes a limit; `nil` is none.
  public init(bytesPerSecond: Int64?) {
    state = Mutex(State(bytesPerSecond: bytesPerSecond.map(Double.init)))
  }

  /// Changes the limit. The line begins anew: who stands in it asks again, and neither waits for what was reserved under
  /// the old limit nor gains from it.
  public func setLimit(_ bytesPerSecond: Int64?) {
    let wanted = bytesPerSecond.map(Double.init)
    let isNew = state.withLock { state in
      guard state.bytesPerSecond != wanted else { return false }
      state = State(bytesPerSecond: wanted)
      return true
    }
    if isNew { changes.wrappingAdd(1, ordering: .releasing) }
  }

  /// Counts the changes of the limit.
  var generation: Int { changes.load(ordering: .acquiring) }

  /// Reserves `count` bytes; they may be taken from the time returned on.
  func reserve(_ count: Int, now: Double) -> Double {
    state.withLock { state in
      guard let rate = state.bytesPerSecond, rate > 0 else { return now }
      let start = max(state.next, now - RateLimiter.slack)
      state.next = start + Double(count) / rate
      return start
    }
  }
}
