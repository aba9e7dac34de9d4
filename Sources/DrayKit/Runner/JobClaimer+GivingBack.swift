// Gives back jobs that were claimed in advance and will not start soon: unused jobs, and jobs that wait for a hold.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension JobClaimer {
  /// Jobs that were claimed in advance are given back if none of them has started for this many seconds.
  private static let patience = 1.0

  /// Gives back jobs that were claimed in advance, if none has started for a while.
  func giveBackUnused() async throws(Failure) {
    guard slots.waiting > 0, SteadyClock.now() - slots.lastBegin > JobClaimer.patience else { return }
    try await giveBack()
    queueMayHaveChanged()
  }

  /// Records the holds that servers asked for, and gives back the jobs claimed in advance that must wait for these
  /// holds. From then on, the store gives jobs under a hold to no runner. This is called only while no claim is in
  /// progress.
  func settleHolds() async throws(Failure) {
    let holds = slots.pendingHolds
    guard !holds.isEmpty else { return }
    try await worker.run { [store] () async throws(Failure) in for hold in holds { try await store.hold(hold) } }
    let origins = Set(holds.map(\.origin))
    if slots.hasWaiting(where: { origins.contains(ReservedJob.origin(of: $0)) }) {
      try await giveBack()
      queueMayHaveChanged()
    }
    slots.recorded(holds)
  }

  /// Ends the jobs whose options do not allow a wait as long as the hold on their origin.
  /// - Returns: Whether any job was ended.
  func endHeld() async throws(Failure) -> Bool {
    let jobs = try await store.interruptHeld(scope: scope.claims, now: WallClock.now())
    for job in jobs { registry.ledger.close(job, .interrupted(job.failure)) }
    return !jobs.isEmpty
  }

  /// Gives back jobs that were claimed in advance, and carries out pending commands of the jobs that stay.
  func giveBack() async throws(Failure) {
    let unused = slots.removeAll()
    guard !unused.isEmpty else { return }
    let ids = unused.map(\.job.id)
    let kept = try await store.giveBack(ids, runner: runner)
    guard !kept.isEmpty else { return }
    for one in unused where kept.contains(one.job.id) { registry.beginAtOnce(one) }
    try await pollCommands()
  }
}
