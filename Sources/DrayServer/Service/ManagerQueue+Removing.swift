// Removes jobs on behalf of aria2's clients. The received bytes of a job are kept until a client removes the job's
// result as well.

internal import DrayCore
internal import DrayKit
internal import DrayStore

extension ManagerQueue {
  func remove(_ ids: [JobID]) async throws(Failure) -> Set<JobID> {
    let shown = try await jobs(ids, isWhole: true)
    let kept = try await setAside(shown)
    let rest = ids.filter { !kept.contains($0) }
    guard !rest.isEmpty else { return kept }
    let outcomes = try await changing { () async throws(Failure) in try await manager.remove(rest) }
    let done = ManagerQueue.done(outcomes)
    keep(removed: shown.filter { $0.status == .active && done.contains($0.id) })
    return done.union(kept)
  }

  func forget(_ ids: [JobID]) async throws(Failure) {
    let stored = forgetRemoved(ids)
    guard !stored.isEmpty else { return }
    _ = try await changing { () async throws(Failure) in try await manager.remove(stored) }
    try await changeAside { $0.remove(stored) }
  }

  func forgetStopped() async throws(Failure) {
    let stopped = try await ids(.stopped)
    forgetAllRemoved()
    try await forget(try await keptAside())
    _ = try await changing { () async throws(Failure) in try await manager.jobs.forgetFinished(before: nil) }
    try await forgetGone(stopped)
  }

  // MARK: Jobs with bytes

  /// Returns the jobs that clients removed, whose bytes are kept, and which were not continued after the removal.
  func keptAside() async throws(Failure) -> [JobID] {
    let aside = try await aside()
    guard !aside.isEmpty else { return [] }
    let found = try await records.jobs(aside.ids, isWhole: false)
    return aside.ids.filter { id in found[id].map(aside.has) ?? false }
  }

  /// Records that jobs which clients removed are wanted again.
  func takeUp(_ ids: [JobID]) async throws(Failure) {
    removed.subtract(ids)
    try await changeAside { $0.remove(ids) }
  }

  /// Pauses the given jobs whose bytes a later call can continue.
  /// - Returns: The jobs that were paused. The caller removes the others from the store.
  private func setAside(_ shown: [Aria2Job]) async throws(Failure) -> Set<JobID> {
    let full = shown.filter { $0.received > 0 && $0.status.list != .stopped }.map(\.id)
    guard !full.isEmpty else { return [] }
    let safe = try await manager.jobs.jobs(ids: full).filter(\.specification.request.isSafe).map(\.id)
    guard !safe.isEmpty else { return [] }
    removed.formUnion(safe)
    _ = try await changing { () async throws(Failure) in try await manager.pause(safe) }
    // A job may have ended or lost its bytes since it was read. A runner that answers slowly has not paused its job
    // yet, but will soon.
    let stopped = try await manager.jobs.jobs(ids: safe).filter { job in
      job.state == .active || job.state == .paused && job.checkpoint.segments.count > 0
    }
    let known = try await records.jobs(try await aside().ids, isWhole: false)
    try await changeAside { aside in
      aside.prune(known)
      for job in stopped { aside.insert(job.id, attempts: job.attempts) }
    }
    try await forget(try await aside().surplus)
    return Set(stopped.map(\.id))
  }
}
