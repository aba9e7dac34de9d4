// Wakes, suspends and ends a run.

internal import Synchronization

final class RunSignal: Sendable {
  /// Yields a value when there is work to do.
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  /// Yields a value when the store changes or a job starts, so that the heartbeat of an idle run comes at once.
  let pulse = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Yields a value when a job starts or the number of waiting jobs changes.
  let activity = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let stopped = Atomic<Bool>(false)
  private let suspended = Atomic<Bool>(false)
  private let givenUp = Atomic<Bool>(false)
  /// Whether the run waits for a store that cannot be reached, instead of failing.
  let ridesOut: Bool
  /// Why the run cannot continue.
  @RunActor private(set) var fatal: Failure?

  /// Why the run is suspended: the store cannot be reached, or the lease has ended. While it is, attempts end without a
  /// record, and no jobs are claimed.
  @RunActor private(set) var suspension: Failure?

  /// The time at which the present call to the store began, by a monotonic clock; `nil` if there is none.
  @RunActor var calling: Double?

  init(ridesOut: Bool = false) {
    self.ridesOut = ridesOut
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var isStopping: Bool { stopped.load(ordering: .acquiring) }

  var isSuspended: Bool { suspended.load(ordering: .acquiring) }

  /// Whether the process ends before its transfers, so that no further byte may be written.
  var isGivenUp: Bool { givenUp.load(ordering: .acquiring) }

  func giveUp() { givenUp.store(true, ordering: .releasing) }

  var isHalted: Bool { isStopping || isSuspended }

  func stop() {
    stopped.store(true, ordering: .releasing)
    wake()
  }

  func wake() { waker.yield() }

  /// Ends a run that cannot continue, or suspends it if it can wait for its store. The first reason counts.
  @RunActor
  func fail(_ failure: Failure) {
    if ridesOut, failure.isStoreAway { return suspend(failure) }
    fatal = fatal ?? failure
    wake()
  }

  /// Suspends the run; the first reason counts.
  @RunActor
  func suspend(_ failure: Failure) {
    suspension = suspension ?? failure
    suspended.store(true, ordering: .releasing)
    wake()
  }

  @RunActor
  func goOn() {
    suspension = nil
    suspended.store(false, ordering: .releasing)
    wake()
  }
}
