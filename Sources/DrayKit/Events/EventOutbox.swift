// Collects events, so that one wake-up of the reader delivers many.

internal import Dispatch
internal import Synchronization

/// Delivers events to their single reader, in order; any thread may send them.
final class EventOutbox: Sendable {
  private struct State {
    var events: [JobEvent] = []
    var isDue = false
  }

  private let state = Mutex(State())
  private let sink: AsyncStream<[JobEvent]>.Continuation
  private let observer: (@Sendable (JobEvent) -> Void)?
  private let log: EventLog?
  private let queue = DispatchQueue(label: "dray.events")

  private static let delay = DispatchTimeInterval.milliseconds(5)

  /// - Parameters:
  ///   - observer: Receives the events in place of the reader, as soon as they are sent.
  ///   - log: Receives the events as well.
  init(
    _ sink: AsyncStream<[JobEvent]>.Continuation, observer: (@Sendable (JobEvent) -> Void)? = nil, log: EventLog? = nil
  ) {
    (self.sink, self.observer, self.log) = (sink, observer, log)
  }

  func send(_ event: JobEvent) {
    log?.write(event)
    if let observer { return observer(event) }
    let isFirst = state.withLock { state in
      state.events.append(event)
      defer { state.isDue = true }
      return !state.isDue
    }
    if isFirst { queue.asyncAfter(deadline: .now() + EventOutbox.delay) { self.flush() } }
  }

  /// Delivers the remaining events, and ends the sequence.
  func finish() {
    queue.sync {
      flush()
      sink.finish()
    }
  }

  private func flush() {
    let events = state.withLock { state in
      defer { state = State() }
      return state.events
    }
    if !events.isEmpty { sink.yield(events) }
  }
}
