// The named queues as a run applies them: which are closed, the rates of the others, and the bytes that they receive.

internal import DrayEngine
internal import Glibc
internal import Synchronization

/// The named queues of a run. Thread-safe.
final class QueueLimits: Sendable {
  private struct State {
    var queues: [String: NamedQueue] = [:]
    /// One limiter for each queue that had a job in this run. It also counts the bytes.
    var limiters: [String: RateLimiter] = [:]
    /// The bytes of each limiter that are recorded in the store, or need not be.
    var counted: [String: Int64] = [:]
  }

  private let state: Mutex<State>
  private let zone: LocalZone

  /// - Parameter zone: the time zone for timetables and quotas.
  init(_ queues: [NamedQueue], zone: LocalZone) {
    state = Mutex(State(queues: Dictionary(uniqueKeysWithValues: queues.map { ($0.name, $0) })))
    self.zone = zone
  }

  /// Replaces the queues with those that the store has now.
  func update(_ queues: [NamedQueue]) {
    state.withLock { $0.queues = Dictionary(uniqueKeysWithValues: queues.map { ($0.name, $0) }) }
  }

  /// Returns the gates for claims at a time.
  func gates(at now: Double) -> QueueGates {
    state.withLock { QueueGates(Array($0.queues.values), at: now, zone: zone) }
  }

  /// Returns the limiter that the jobs of a queue share; `nil` for jobs of no queue.
  func limiter(of queue: String?, at now: Double) -> RateLimiter? {
    guard let queue else { return nil }
    return state.withLock { state in
      if let known = state.limiters[queue] { return known }
      let limiter = RateLimiter(bytesPerSecond: rate(of: state.queues[queue], now))
      state.limiters[queue] = limiter
      return limiter
    }
  }

  private func rate(of queue: NamedQueue?, _ now: Double) -> Int64? {
    queue?.settings.rateRule.rate(at: now, zone: zone)
  }

  /// Applies the present rates.
  func applyRates(at now: Double) {
    state.withLock { state in
      for (name, limiter) in state.limiters { limiter.setLimit(rate(of: state.queues[name], now)) }
    }
  }

  /// The bytes that a queue with a quota has received since the last call.
  struct Received: Sendable {
    var queue: String
    var bytes: Int64
    /// The beginning of the present period of its quota.
    var since: Double
  }

  /// Returns the bytes received since the last call, of queues with a quota. They count at once for this run's gates.
  func takeReceived(at now: Double) -> [Received] {
    state.withLock { state in
      var received: [Received] = []
      for (name, limiter) in state.limiters {
        let total = limiter.taken
        let bytes = total - state.counted[name, default: 0]
        state.counted[name] = total
        guard bytes > 0, var queue = state.queues[name], let quota = queue.settings.quota else { continue }
        let begin = quota.begin(at: now, zone: zone)
        queue.usage = QueueUsage(bytes: queue.used(at: now, zone: zone) + bytes, since: begin)
        state.queues[name] = queue
        received.append(Received(queue: name, bytes: bytes, since: begin))
      }
      return received
    }
  }
}
