// How the parts of a run wake it and end it.

internal import Synchronization

/// Wakes a run's loop, and says whether it is to end.
final class RunSignal: Sendable {
  /// Yields when there is something to look at.
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  /// Yields when the store has changed or a job begins: an idle run has its next beat then.
  let pulse = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Yields when a job begins and when the number of those that wait has changed.
  let activity = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let stopped = Atomic<Bool>(false)
  /// Why the run cannot go on.
  @RunActor private(set) var fatal: Failure?

  init() { (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// Whether the run was stopped.
  var isStopping: Bool { stopped.load(ordering: .acquiring) }

  /// Stops the run.
  func stop() {
    stopped.store(true, ordering: .releasing)
    wake()
  }

  /// Wakes the run's loop.
  func wake() { waker.yield() }

  /// The run cannot go on; the first reason stands.
  @RunActor
  func fail(_ failure: Failure) {
    fatal = fatal ?? failure
    wake()
  }
}
