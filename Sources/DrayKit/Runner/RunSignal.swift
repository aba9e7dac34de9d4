// How the parts of a run wake it and end it.

internal import Synchronization

/// Wakes a run's loop, and says whether it is to end.
final class RunSignal: Sendable {
  /// Yields when there is something to look at.
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
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

  /// Has the run look again.
  func wake() { waker.yield() }

  /// The run cannot go on; the first reason stands.
  @RunActor
  func fail(_ failure: Failure) {
    fatal = fatal ?? failure
    wake()
  }
}
