// The bar of a transferred job: one model for runs, for `dray watch` and for its full screen. No effects, no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

/// The state of a transferred job at one moment, as its runner reports it.
struct JobLook {
  var state: BarState
  /// Bytes of the file, or of the request's body while the job is sending.
  var done: Int64
  var size: Int64?
  var connections: Int
  /// The runner's own rate, in bytes per second.
  var rate: Double?
  var parts: FileParts?

  /// Creates the state of a job of this process.
  /// - Parameter state: The state to use instead of the one that follows from the job's phase.
  init(_ job: ActiveJob, state: BarState? = nil) {
    self.state = state ?? BarState(job.phase)
    let isSending = self.state == .sending
    (done, size) = isSending ? (job.sent, job.toSend) : (job.received, job.size)
    (connections, rate, parts) = (job.connections, job.rate, job.parts)
  }

  /// Creates the state of a job of any process.
  init(_ entry: ProgressEntry) {
    (state, done, size) = (BarState(entry.phase), entry.received, entry.size)
    (connections, rate, parts) = (entry.connections, entry.rate, entry.parts)
  }
}

/// The bar of a transferred job, with the time left.
struct LiveBar {
  var item: BarItem
  private var estimator = ProgressEstimator()

  /// - Parameters:
  ///   - name: The escaped name.
  ///   - host: The server, not escaped.
  init(_ id: JobID, name: String, host: String? = nil) {
    item = BarItem(id: Int(id), name: name, state: .connecting)
    item.host = host.map(TextSafety.escaped)
  }

  /// Changes the state. Sending and receiving have separate counts and rates.
  mutating func enter(_ state: BarState) {
    if (item.state == .sending) != (state == .sending) {
      estimator.reset()
      item.size = nil
    }
    item.state = state
  }

  /// Updates the bar at `now`, in seconds of a monotonic clock.
  mutating func take(_ look: JobLook, now: Double) {
    enter(look.state)
    (item.received, item.size, item.connections) = (look.done, look.size, look.connections)
    (item.rate, item.eta, item.map) = (nil, nil, nil)
    guard item.state == .active || item.state == .sending else { return }
    estimator.update(time: now, bytes: look.done)
    // The runner's rate is the same in every display. Until its first beat, use the estimate.
    item.rate = look.rate ?? estimator.rate
    item.eta = estimator.eta(size: look.size)
    if item.state == .active, let size = look.size, let parts = look.parts {
      item.map = FileMap(size: size, done: parts.done.segments, fetching: parts.fetching)
    }
  }

  mutating func resetRate() { estimator.reset() }

  /// Copies the job's progress into an item made from its record.
  func move(_ item: inout BarItem) {
    (item.state, item.received, item.size) = (self.item.state, self.item.received, self.item.size)
    (item.connections, item.rate, item.eta) = (self.item.connections, self.item.rate, self.item.eta)
    item.map = self.item.map
  }
}

extension BarState {
  init(_ phase: JobPhase) {
    self =
      switch phase {
      case .connecting: .connecting
      case .sending: .sending
      case .receiving: .active
      case .verifying: .verifying
      case .publishing: .publishing
      }
  }

  init(_ phase: ProgressEntry.Phase) {
    self =
      switch phase {
      case .waiting: .retrying
      case .connecting: .connecting
      case .sending: .sending
      case .receiving: .active
      case .verifying: .verifying
      case .publishing: .publishing
      }
  }
}
