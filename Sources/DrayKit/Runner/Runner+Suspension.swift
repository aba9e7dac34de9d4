// Suspends a run while its shared store cannot be reached, or its lease is over: stops all attempts, waits, and
// continues from the kept bytes (P20).

internal import DrayEngine
internal import DrayStore
internal import Synchronization
internal import Threads

@RunActor
extension Runner {
  /// Works until nothing is left or until the run ends, with suspensions in between. A suspension stops all attempts;
  /// the run continues when the store can be reached again.
  func runThroughSuspensions(_ keeper: LeaseKeeper) async {
    var isBack = false
    while true {
      do throws(Failure) {
        if isBack { try await recoverAgain() } else { try await recover() }
        try await work()
      } catch {
        signal.fail(error)
        if signal.isSuspended { await park() } else { await drain() }
      }
      guard signal.isSuspended, signal.fatal == nil, await keeper.comeBack() else { return }
      isBack = true
    }
  }

  /// Stops all attempts, and records nothing; waits until the attempts have left. The bytes of the attempts stay in the
  /// part files.
  private func park() async {
    claimer.slots.shut()
    signal.wake()
    for await _ in signal.wakes {
      claimer.absorb()
      claimer.dropUnstarted()
      claimer.registry.takeOver { _ in true }
      for one in claimer.registry.running.values { one.cancelForEnd() }
      if claimer.isIdle { break }
    }
    claimer.slots.reopen()
  }

  /// Releases the runner's jobs as after its death, and finishes interrupted publishes. Interrupted jobs that have a
  /// failure stay interrupted, because only the start of a run queues such jobs.
  private func recoverAgain() async throws(Failure) {
    // First, record again what a crash has undone, because hooks may have moved the completed files.
    _ = try await store.undoneEnds(of: id)
    // Jobs with commands are not released, so carry out these commands next.
    _ = try await carryOut(try await store.commands(runner: id))
    try await worker.run { [store, home, id, destinations = destinations.all] () async throws(Failure) in
      _ = try await store.release(id)
      try await Recovery.reap(store, home, destinations)
    }
    try await goOnWithInterrupted()
  }

  /// Carries out commands for the runner's jobs that have no attempt. If the part file of a job cannot be removed, the
  /// job stays.
  /// - Returns: The number of commands that were carried out.
  private func carryOut(_ commands: [(id: JobID, command: JobCommand)]) async throws(Failure) -> Int {
    guard !commands.isEmpty else { return 0 }
    return try await worker.run { [store, home, id, destinations = destinations.all] () async throws(Failure) in
      var count = 0
      for (number, command) in commands {
        let removed = command == .remove ? try await store.job(number) : nil
        if let removed, !Recovery.removeParts(of: [removed], destinations).isEmpty { continue }
        guard try await store.applyCommand(number, runner: id) else { continue }
        count += 1
        if let removed { JobFiles.remove(of: removed, in: home) }
      }
      return count
    }
  }

  /// Finishes publishes that were interrupted, and queues jobs that have lost their owner.
  private func goOnWithInterrupted() async throws(Failure) {
    try await finishPublishes()
    _ = try await store.requeueAbandoned(scope: claims, continued)
    claimer.queueMayHaveChanged()
  }

  /// Continues jobs whose ends a crash of the store's server has undone. Most ends are not on the disk yet when they
  /// are recorded, and after a short outage the run continues. This is called only while no jobs are being claimed.
  /// - Returns: Whether there are such jobs; if not, all recorded ends are on the disk.
  func takeUpUndone() async throws(Failure) -> Bool {
    let connections = store.connections
    let undone = try await store.undoneEnds(of: id)
    let count = try await carryOut(undone.commands)
    // If some of the commands failed, the next beat tries them again.
    if count == undone.commands.count { claimer.confirmedConnections = connections }
    guard count > 0 || !undone.interrupted.isEmpty else { return false }
    try await goOnWithInterrupted()
    return true
  }

  /// Ends a run that was stopped while its store could not be reached. In that case, nothing can be recorded. Other
  /// runners claim the run's jobs when its lease ends.
  func leaveStore(
    _ beats: Task<Void, Never>, _ keeping: Task<Void, Never>
  ) async throws(Failure) -> RunSummary {
    beats.cancel()
    keeping.cancel()
    await ledger.finishHooks(signal)
    if let fatal = signal.fatal { throw fatal }
    var summary = ledger.summary
    if let suspension = signal.suspension { summary.statuses.insert(suspension.exitStatus) }
    return summary
  }
}

extension Runner {
  /// Opens the fence for as long as the present lease lasts. When that lease ends, the fence closes, even if the lease
  /// begins again: work in progress then no longer belongs to this runner. This is called only while no attempt runs.
  func openFence() {
    fence?.guarded { [lease, signal, term = lease.term] in !signal.isGivenUp && lease.lasts(since: term) }
  }

  /// Releases the jobs at once, for a process that must end before its transfers have ended. The call waits for the
  /// store for at most two seconds. After this call, the caller must end the process, because no further byte may be
  /// written.
  package func giveUp() async {
    // A suspension that is just ending would open the fence.
    signal.giveUp()
    fence?.guarded(by: { false })
    let box = DoneBox()
    Task { [store, lease, id] in
      _ = try? await store.release(id)
      await lease.release()
      box.set()
    }
    let end = SteadyClock.now() + 2
    while !box.isSet, SteadyClock.now() < end { try? await Task.sleep(for: .milliseconds(20)) }
  }
}

private final class DoneBox: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
