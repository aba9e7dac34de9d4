// Applies the named queues in a run: which queues are closed, the rates of the open ones, and the bytes that queues
// receive.

internal import DrayEngine
internal import Synchronization

/// The named queues of a run, which any thread may use.
final class QueueLimits: Sendable {
  /// The number of bytes that a queue received in a period of its quota.
  struct Received: Sendable, Equatable {
    var queue: String
    var bytes: Int64
    var since: Double
  }

  private struct State {
    var queues: [String: NamedQueue] = [:]
    /// The limiter of each queue that has had a job in this run. It also counts the bytes of the queue.
    var limiters: [String: RateLimiter] = [:]
    /// How many bytes of each limiter have already been counted.
    var counted: [String: Int64] = [:]
    /// The counts that the store does not have yet.
    var pending: [String: Received] = [:]
  }

  private let state: Mutex<State>
  private let zone: LocalZone

  /// - Parameter zone: The time zone for timetables and quotas.
  init(_ queues: [NamedQueue], zone: LocalZone) {
    state = Mutex(State(queues: QueueLimits.byName(queues)))
    self.zone = zone
  }

  private static func byName(_ queues: [NamedQueue]) -> [String: NamedQueue] {
    Dictionary(queues.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  func update(_ queues: [NamedQueue]) {
    let all = QueueLimits.byName(queues)
    state.withLock { $0.queues = all }
  }

  func hasSettings(_ queue: String) -> Bool { state.withLock { $0.queues[queue] != nil } }

  // MARK: Rates

  /// Returns the limiter of a queue; `nil` for jobs without a queue.
  func limiter(of queue: String?, at now: Double) -> RateLimiter? {
    guard let queue else { return nil }
    return state.withLock { state -> RateLimiter? in
      if let known = state.limiters[queue] { return known }
      let limiter = RateLimiter(bytesPerSecond: rate(of: state.queues[queue], now))
      state.limiters[queue] = limiter
      return limiter
    }
  }

  func applyRates(at now: Double) {
    state.withLock { state in
      for (name, limiter) in state.limiters { limiter.setLimit(rate(of: state.queues[name], now)) }
    }
  }

  private func rate(of queue: NamedQueue?, _ now: Double) -> Int64? {
    queue?.settings.rateRule.rate(at: now, zone: zone)
  }

  // MARK: Gates and quotas

  /// Returns the gates with which jobs are claimed at a time, including all bytes that this run has received by then.
  func gates(at now: Double) -> QueueGates {
    state.withLock { state in
      count(&state, now)
      let queues = state.queues.values.map { queue in
        guard let quota = queue.settings.quota, let more = state.pending[queue.name],
          more.since == quota.begin(at: now, zone: zone)
        else { return queue }
        let usage = QueueUsage(bytes: queue.used(at: now, zone: zone) + more.bytes, since: more.since)
        return NamedQueue(queue.name, queue.settings, usage: usage)
      }
      return QueueGates(queues, at: now, zone: zone)
    }
  }

  /// Returns the counts that the store does not have yet, for the caller to record.
  func takeReceived(at now: Double) -> [Received] {
    state.withLock { state in
      count(&state, now)
      defer { state.pending = [:] }
      return state.pending.values.filter { $0.bytes > 0 }
    }
  }

  /// Counts the bytes since the last call, for each queue with a quota.
  private func count(_ state: inout State, _ now: Double) {
    for (name, limiter) in state.limiters {
      let total = limiter.taken
      let bytes = total - state.counted[name, default: 0]
      state.counted[name] = total
      guard let begin = state.queues[name]?.settings.quota?.begin(at: now, zone: zone) else { continue }
      // Counts of an earlier period are dropped.
      let before = state.pending[name].flatMap { $0.since == begin ? $0.bytes : nil } ?? 0
      state.pending[name] = Received(queue: name, bytes: before + bytes, since: begin)
    }
  }
}
