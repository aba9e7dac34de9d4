// What runners do with the jobs that they hold, on a thread that may block.

import DrayCore

import struct FoundationEssentials.UUID

extension SQLiteStore {
  nonisolated(nonsending) func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope {
    try await run { store throws(Failure) in try store.registerScope(ids) }
  }

  nonisolated(nonsending) func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope {
    try await run { store throws(Failure) in try store.extendScope(scope, with: ids) }
  }

  nonisolated(nonsending) func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, now: Double
  ) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in
      try store.claim(runner: runner, limit: limit, scope: scope, jobsPerOrigin: jobsPerOrigin, now: now)
    }
  }

  nonisolated(nonsending) func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID> {
    try await run { store throws(Failure) in try store.giveBack(ids, runner: runner) }
  }

  nonisolated(nonsending) func nextDue(scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, runner: UUID, now: Double)
    async throws(Failure) -> Double?
  {
    try await run { store throws(Failure) in
      try store.nextDue(scope: scope, jobsPerOrigin: jobsPerOrigin, runner: runner, now: now)
    }
  }

  nonisolated(nonsending) func mayGoOn(scope: ClaimScope, now: Double) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.mayGoOn(scope: scope, now: now) }
  }

  nonisolated(nonsending) func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs {
    try await run { store throws(Failure) in try store.pending(scope: scope, runner: runner) }
  }

  nonisolated(nonsending) func requeueInterrupted(scope: ClaimScope, now: Double) async throws(Failure) -> [JobID] {
    try await run { store throws(Failure) in try store.requeueInterrupted(scope: scope, now: now) }
  }

  nonisolated(nonsending) func requeueAbandoned(scope: ClaimScope) async throws(Failure) -> [JobID] {
    try await run { store throws(Failure) in try store.requeueAbandoned(scope: scope) }
  }

  nonisolated(nonsending) func hold(_ hold: OriginHold) async throws(Failure) {
    try await run { store throws(Failure) in try store.hold(hold) }
  }

  nonisolated(nonsending) func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs] {
    // The scope is a table of the writer's connection.
    try await run { store throws(Failure) in try store.heldJobs(scope: scope, now: now) }
  }

  nonisolated(nonsending) func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)] {
    try await run { store throws(Failure) in try store.commands(runner: runner) }
  }

  nonisolated(nonsending) func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64] {
    try await run { store throws(Failure) in try store.rateLimits(runner: runner) }
  }

  nonisolated(nonsending) func recordResponse(_ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?)
    async throws(Failure) -> Bool
  {
    try await run { store throws(Failure) in try store.recordResponse(id, runner: runner, response, size: size) }
  }

  nonisolated(nonsending) func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    exists: @escaping @Sendable (String) -> Bool
  ) async throws(Failure) -> String? {
    try await run { store throws(Failure) in
      try store.fixName(id, runner: runner, directory: directory, name: name, policy: policy, exists: exists)
    }
  }

  nonisolated(nonsending) func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32], expecting bad: [BlockSums.Extent],
    runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    try await run { store throws(Failure) in try store.checkpoint(batch, since: since, expecting: bad, runner: runner) }
  }

  nonisolated(nonsending) func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool
  {
    try await run { store throws(Failure) in try store.forgetCheckpoint(id, runner: runner, note: note) }
  }

  nonisolated(nonsending) func expected(of id: JobID) async throws(Failure) -> ExpectedVersion? {
    try await run { store throws(Failure) in try store.expected(of: id) }
  }

  nonisolated(nonsending) func recordDigestRetry(_ id: JobID, _ retry: DigestRetry, runner: UUID) async throws(Failure)
    -> Bool
  {
    try await run { store throws(Failure) in try store.recordDigestRetry(id, retry, runner: runner) }
  }

  nonisolated(nonsending) func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in
      try store.recordAdoption(id, runner: runner, outcome, checkpoint)
    }
  }

  nonisolated(nonsending) func sessionCookies(_ id: JobID) async throws(Failure) -> [String] {
    try await run { store throws(Failure) in try store.sessionCookies(id) }
  }

  nonisolated(nonsending) func record(sessionCookies lines: [String], of id: JobID, runner: UUID) async throws(Failure)
  {
    try await run { store throws(Failure) in try store.record(sessionCookies: lines, of: id, runner: runner) }
  }

  nonisolated(nonsending) func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.beginSubmission(id, runner: runner, now: now) }
  }

  nonisolated(nonsending) func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: Attempt?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in
      try store.requeue(
        id, runner: runner, notBefore: notBefore, now: now, retry: retry, failure: failure, attempt: attempt,
        pending: pending
      )
    }
  }

  nonisolated(nonsending) func endAttempt(
    _ id: JobID, runner: UUID, state: JobState, failure: Failure?, retry: RetryRecord, note: String?,
    notBefore: Double?, mayBeRepeated: Bool, now: Double, attempt: Attempt?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in
      try store.endAttempt(
        id, runner: runner, state: state, failure: failure, retry: retry, note: note, notBefore: notBefore,
        mayBeRepeated: mayBeRepeated, now: now, attempt: attempt, pending: pending)
    }
  }

  nonisolated(nonsending) func retryHeld(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.retryHeld(id, runner: runner) }
  }

  nonisolated(nonsending) func removeHeld(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.removeHeld(id, runner: runner, isMet: isMet) }
  }

  nonisolated(nonsending) func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: Attempt?
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in
      try store.finishWithoutFile(id, runner: runner, response: response, note: note, now: now, attempt: attempt)
    }
  }

  nonisolated(nonsending) func release(_ runner: UUID) async throws(Failure) -> Int {
    try await run { store throws(Failure) in try store.release(runner) }
  }

  nonisolated(nonsending) func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> [PublishPermit] {
    try await run { store throws(Failure) in
      try store.beginPublishing(batch, after: finished, runner: runner, now: now, isDurable: isDurable)
    }
  }

  nonisolated(nonsending) func finish(_ batch: [Finished], runner: UUID, now: Double) async throws(Failure) -> Set<
    JobID
  > {
    try await run { store throws(Failure) in try store.finish(batch, runner: runner, now: now) }
  }

  nonisolated(nonsending) func interruptPublishing(_ id: JobID, runner: UUID, failure: Failure?, attempt: Attempt)
    async throws(Failure) -> Bool
  {
    try await run { store throws(Failure) in
      try store.interruptPublishing(id, runner: runner, failure: failure, attempt: attempt)
    }
  }

  nonisolated(nonsending) func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in try store.claimPublishing(runner: runner, scope: scope) }
  }

  nonisolated(nonsending) func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.beginRepair(id, specification, sums: sums, runner: runner) }
  }

  nonisolated(nonsending) func abandonRepair(_ job: Job, runner: UUID) async throws(Failure) {
    try await run { store throws(Failure) in try store.abandonRepair(job, runner: runner) }
  }

  nonisolated(nonsending) func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.queueRepair(id, specification, checkpoint, runner: runner) }
  }

  nonisolated(nonsending) func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure) {
    try await run { store throws(Failure) in try store.beginMove(changes, runner: runner) }
  }

  nonisolated(nonsending) func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure) {
    try await run { store throws(Failure) in try store.change(changes, runner: runner, now: now) }
  }

  nonisolated(nonsending) func endMove(_ ids: [JobID], runner: UUID) async throws(Failure) {
    try await run { store throws(Failure) in try store.endMove(ids, runner: runner) }
  }

  nonisolated(nonsending) func restore(_ imported: [ImportedJob], runner: UUID?, now: Double) async throws(Failure)
    -> [AddedJob]
  {
    try await run { store throws(Failure) in try store.restore(imported, runner: runner, now: now) }
  }

  nonisolated(nonsending) func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in try store.movedJobs(ofDeadRunners: runners) }
  }

  nonisolated(nonsending) func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure) {
    try await run { store throws(Failure) in try store.recordMoveEnd(id, ofDeadRunner: runner) }
  }

  nonisolated(nonsending) func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in try store.doomedJobs(ofDeadRunners: runners) }
  }

  nonisolated(nonsending) func applyCommands(ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>)
    async throws(Failure) -> [RecoveredJob]
  {
    try await run { store throws(Failure) in try store.applyCommands(ofDeadRunners: runners, removing: doomed) }
  }

  nonisolated(nonsending) func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.applyCommand(id, runner: runner) }
  }
}
