// Signals that wake and end a run.

internal import Synchronization

/// Wakes a run's loop, and stops it.
final class RunSignal: Sendable {
  /// Yields when there is work to do.
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  /// Yields when the store changes or a job starts. An idle run then has its next beat.
  let pulse = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Yields when a job starts or the number of waiting jobs changes.
  let activity = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let stopped = Atomic<Bool>(false)
  /// The reason why the run cannot continue.
  @RunActor private(set) var fatal: Failure?

  init() { (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  var isStopping: Bool { stopped.load(ordering: .acquiring) }

  func stop() {
    stopped.store(true, ordering: .releasing)
    wake()
  }

  func wake() { waker.yield() }

  /// Ends a run that cannot continue. The first reason is kept.
  @RunActor
  func fail(_ failure: Failure) {
    fatal = fatal ?? failure
    wake()
  }
}
