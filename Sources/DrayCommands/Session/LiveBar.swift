// The bar of a job that is being transferred. Runs, `dray watch` and its full screen all use it. The code in this file
// has no effects outside its values, and reads no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

/// The state of a job that is being transferred, at one moment, as its runner reports it.
struct JobLook {
  var state: BarState
  /// The number of bytes of the file; while a request's body is sent, the number of bytes of that body.
  var done: Int64
  var size: Int64?
  var connections: Int
  /// The rate that the runner measured, in bytes per second.
  var rate: Double?
  var parts: FileParts?

  /// Creates the state of a job that this process transfers.
  /// - Parameter state: The state to use in place of the one that follows from the job's phase.
  init(_ job: ActiveJob, state: BarState? = nil) {
    self.state = state ?? BarState(job.phase)
    let isSending = self.state == .sending
    (done, size) = isSending ? (job.sent, job.toSend) : (job.received, job.size)
    (connections, rate, parts) = (job.connections, job.rate, job.parts)
  }

  /// Creates the state of a job that any process transfers.
  init(_ entry: ProgressEntry) {
    (state, done, size) = (BarState(entry.phase), entry.received, entry.size)
    (connections, rate, parts) = (entry.connections, entry.rate, entry.parts)
  }
}

/// The bar of a job that is being transferred, with an estimate of the time left.
struct LiveBar {
  var item: BarItem
  private var estimator = ProgressEstimator()

  /// - Parameters:
  ///   - name: The name of the file, already escaped.
  ///   - host: The name of the server, not escaped.
  init(_ id: JobID, name: String, host: String? = nil) {
    item = BarItem(id: Int(id), name: name, state: .connecting)
    item.host = host.map(TextSafety.escaped)
  }

  /// Changes the state of the bar. Sending and receiving have separate counts and rates.
  mutating func enter(_ state: BarState) {
    if (item.state == .sending) != (state == .sending) {
      estimator.reset()
      item.size = nil
    }
    item.state = state
  }

  /// Updates the bar. `now` is in seconds of a monotonic clock.
  mutating func take(_ look: JobLook, now: Double) {
    enter(look.state)
    (item.received, item.size, item.connections) = (look.done, look.size, look.connections)
    (item.rate, item.eta, item.map) = (nil, nil, nil)
    guard item.state == .active || item.state == .sending else { return }
    estimator.update(time: now, bytes: look.done)
    // The rate that the runner measured is the same in every display. Before the runner has reported one, the bar's own
    // estimate is shown.
    item.rate = look.rate ?? estimator.rate
    item.eta = estimator.eta(size: look.size)
    if item.state == .active, let size = look.size, let parts = look.parts {
      item.map = FileMap(size: size, done: parts.done.segments, fetching: parts.fetching)
    }
  }

  mutating func resetRate() { estimator.reset() }

  /// Copies the progress into an item that was made from the job's record.
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
