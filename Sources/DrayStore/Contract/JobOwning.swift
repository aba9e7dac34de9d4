// The contract of a job store for runners: claiming jobs, and recording their progress and outcomes.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The operations of runners on the jobs that they hold. The rules of ``JobReading`` on atomicity, durability, failures
/// and threads apply here too.
///
/// A job has at most one holder. Methods with a `runner` parameter change a job only while that runner holds it, and
/// return whether it does. After `false` (or its equivalent) nothing was changed, and the runner must not write another
/// byte to the job's files (P9). ``Liveness`` tells which runners are dead, for
/// ``applyCommands(ofDeadRunners:removing:)``.
///
/// A store whose leases can end before their processes (``RunnerLease/remaining``) numbers each claim, remembers the
/// number of each job that was claimed through it, and names it in every write (P20): a write for an earlier claim of the
/// same runner counts as a write of another. A runner claims a job again only when its earlier attempt has left.
///
/// Calls wait while such a store cannot be reached: those that name a runner until its lease ends, others as long as the
/// configuration says, but hardly longer than a lease of this process lasts, because its renewal may wait for them. Then
/// they throw kind `store` with recovery `wait` (``DrayCore/Failure/isStoreAway``); the call may have been carried out,
/// and may be repeated.
package protocol JobOwning: Sendable {
  // MARK: Claiming

  /// Registers a set of jobs of any size for ``ClaimScope/only(_:)``. The set is valid for this store, while it is
  /// open. Other processes do not see it.
  func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope

  /// Adds jobs to a registered set. Later claims and counts include them.
  /// - Returns: the extended set.
  func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope

  /// Claims up to `limit` queued jobs of `scope`, ordered by priority, rank and number; of equal priority, jobs whose last
  /// tries failed (``DrayCore/RetryRecord/used``) come after the others. Claimable jobs are due, have an
  /// open window, wait for no other job, have an origin that is not on hold and has room, and are in no named queue that
  /// is closed or has no room.
  /// - Parameter zone: the zone of the windows.
  /// - Returns: the jobs, now active. Their attempts are incremented and older commands cleared.
  func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, now: Double,
    zone: LocalZone
  ) async throws(Failure) -> [Job]

  /// Requeues jobs, unchanged, that were claimed ahead and have not started.
  /// - Returns: the jobs with a pending command; `runner` keeps them.
  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID>

  /// Returns the earliest time at which a queued job of `scope` can be claimed, or `now` if one can be claimed already.
  /// Jobs that wait for other jobs, whose origin or named queue has no room, or whose queue is paused, have no such time.
  func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, runner: UUID, now: Double, zone: LocalZone
  ) async throws(Failure) -> Double?

  /// Returns whether a queued job of `scope` will become due, or waits for an active job. A job of a paused queue does
  /// neither.
  func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) async throws(Failure) -> Bool

  /// Counts the queued and active jobs of `scope`. Cheap enough to call after every change.
  func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs

  /// Queues the interrupted jobs of `scope` when a run starts, and resets their retries. Exceptions: jobs whose request
  /// must not be repeated automatically (P10), and jobs whose server asked for a longer wait than their options allow,
  /// until that wait is over.
  /// - Returns: the numbers of the queued jobs.
  func requeueInterrupted(scope: ClaimScope, now: Double) async throws(Failure) -> [JobID]

  /// Queues the interrupted jobs of `scope` that have no failure: their runner ended or died.
  /// - Returns: the numbers of the queued jobs.
  func requeueAbandoned(scope: ClaimScope) async throws(Failure) -> [JobID]

  /// Holds back the jobs of an origin, as its server asked (RFC 9110 §10.2.3). A longer existing hold stays, unless the
  /// refused job had a pass.
  func hold(_ hold: OriginHold) async throws(Failure)

  /// Returns the queued jobs of `scope` that wait for holds, except those with a pass.
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs]

  /// Interrupts the queued jobs of `scope` whose origins are on hold for longer than the jobs may wait, except those with a
  /// pass. They have the failure that a refused job has. Durable.
  /// - Returns: the jobs as they are now.
  func interruptHeld(scope: ClaimScope, now: Double) async throws(Failure) -> [Job]

  // MARK: During a transfer

  /// Returns the pending commands for the jobs of `runner`.
  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)]

  /// Returns the rate limits of the jobs of `runner`. Jobs without a limit are omitted.
  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64]

  /// Returns the windows of the jobs of `runner`. Jobs without a window are omitted.
  func windows(runner: UUID) async throws(Failure) -> [JobID: TransferWindow]

  /// Adds received bytes to the count for the quota of a named queue. Does nothing for a queue without settings.
  /// - Parameter begin: the beginning of the present period; an earlier period's count is dropped.
  func addUsage(_ bytes: Int64, of queue: String, since begin: Double) async throws(Failure)

  /// Records the last answer, and the size unless a checkpoint has one. A good answer ends the hold that the job had a
  /// pass for, but not the waits of jobs that the server refused.
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool

  /// Fixes the name of a job's target. A name that is already fixed stays: a resume never renames.
  ///
  /// The policy applies if another unfinished job has the target `name`. `rename` also avoids names in `taken`,
  /// which the directory has.
  /// - Returns: the fixed name; `nil` if `runner` does not hold the job.
  /// - Throws: kind `file` if the target belongs to another job.
  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    taken: Set<String>
  ) async throws(Failure) -> String?

  /// Gives a held job the first of the names `name`, numbered, that is not in `taken` and that no other unfinished job has
  /// as its target. For keys of a bucket, whose uploads must have their name before they begin.
  /// - Returns: the name; `nil` if `runner` does not hold the job.
  func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) async throws(Failure) -> String?

  /// Changes a job as the rules for it say, once its server has answered: its options, directory, queue, window and
  /// priority. The request stays. Durable.
  /// - Returns: the job as it is then; `nil` if `runner` does not hold it.
  /// - Throws: kind `file` if the target belongs to another job.
  func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Job?

  /// Records checkpoints of several jobs. The caller must sync the bytes first. Durable.
  /// - Parameters:
  ///   - since: for jobs whose earlier checksums are recorded, the marks of those; only newer checksums are written.
  ///   - bad: damaged bytes in the first job's part file. Their replacements must have the same checksums.
  /// - Returns: the jobs that `runner` holds; nothing was recorded for the others.
  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32], expecting bad: [BlockSums.Extent],
    runner: UUID
  ) async throws(Failure) -> Set<JobID>

  /// Clears a checkpoint before bytes of another version overwrite its bytes (P2). Durable.
  /// - Parameter note: the reason, for people.
  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool

  /// Records the generation of a held job's part file. Durable. Only a store whose leases can end before their processes
  /// needs generations (``DrayCore/PartGeneration``): it marks the jobs of dead runners as lost, unless their processes
  /// are gone from this machine.
  /// - Returns: whether `runner` holds the job.
  func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) async throws(Failure) -> Bool

  /// Returns the version that refetched bytes must belong to; `nil` if none is required.
  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion?

  /// Records that a job uses up a digest retry. Durable.
  /// - Returns: `false` if it was used up before, or `runner` does not hold the job.
  func recordDigestRetry(
    _ id: JobID, _ retry: DigestRetry, runner: UUID
  ) async throws(Failure) -> Bool

  /// Records the outcome of adopting another program's partial file, and claims its bytes. The caller must sync them
  /// first. Durable.
  /// - Parameter checkpoint: the valid bytes of the part file; `nil` if nothing was adopted.
  func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) async throws(Failure) -> Bool

  /// Returns the session cookies of a job, as lines in Netscape's format.
  func sessionCookies(_ id: JobID) async throws(Failure) -> [String]

  /// Replaces the session cookies of a job; an empty list deletes them. Does nothing unless `runner` holds the job.
  func record(
    sessionCookies lines: [String], of id: JobID, runner: UUID
  ) async throws(Failure)

  /// Records that a job's request is about to be sent, and must not be repeated automatically (P10). Durable.
  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool

  // MARK: Ending

  /// Queues a job again after a temporary failure, not before `notBefore` (`nil` means at once).
  /// - Parameter pending: how to treat a command that arrived during the attempt.
  /// - Returns: whether `runner` held the job and it was queued.
  func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Ends an attempt: the job becomes `failed`, `interrupted` or `paused`. A failed job's checkpoint is cleared, since
  /// its part file is gone. Durable.
  ///
  /// A `failed` job fails the jobs that wait for it (``JobReading/failedDependents(of:)``). If it was a repair of a
  /// published file, it becomes complete as before instead.
  /// - Parameter pending: how to treat a command that arrived during the attempt.
  /// - Returns: whether `runner` held the job and the attempt was ended.
  func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Starts over a job whose holder received ``JobCommand/retry``. Durable.
  /// - Returns: whether `runner` held the job and the command still stands.
  func retryOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  /// Deletes a job whose holder was asked to remove it. Durable.
  /// - Parameter isMet: whether its file exists all the same. Then the jobs that wait for it may start; otherwise they
  ///   fail.
  func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool

  /// Completes a job whose answer has no body. It has no file, and its target no name. Durable.
  func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) async throws(Failure) -> Bool

  /// Interrupts the jobs that a runner still holds when it ends, without the failures of earlier attempts: other runners
  /// may continue them (``requeueAbandoned(scope:)``). Jobs with a pending command are left to recovery
  /// (``applyCommands(ofDeadRunners:removing:)``), so that the command is not lost. Durable.
  /// - Returns: the number of interrupted jobs.
  func release(_ runner: UUID) async throws(Failure) -> Int

  /// How often the store has connected to its server; 0 without a server. A server that crashed forgets the newest
  /// records that were not durable.
  var connections: Int { get }

  /// Makes durable what was recorded before, and mends what a crash of the server has undone. Completed jobs are completed
  /// again. Other jobs that the runner has ended, and that name it as their holder, become interrupted, except those with
  /// a pending command. Call this only while the runner claims nothing.
  /// - Returns: the jobs that are not completed.
  func undoneEnds(of runner: UUID) async throws(Failure) -> UndoneEnds

  /// Returns a job once everything that was recorded before is on disk; `nil` if there is none. A crash of the server
  /// may have undone its end by then.
  func settledJob(_ id: JobID) async throws(Failure) -> Job?

  // MARK: Publishing

  /// Records that part files are about to be renamed. After a crash, recovery uses ``PublishIntent/identity`` to find
  /// out whether they were. The `finished` jobs become complete in the same step.
  /// - Parameters:
  ///   - finished: published jobs, as in ``finish(_:runner:now:)``.
  ///   - isDurable: whether the record is durable when this returns. A store with a server makes it durable in any case.
  /// - Returns: the permit for each job, in order, and the `finished` jobs that `runner` held.
  func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> PublishStart

  /// Completes published jobs, and deletes those with a pending removal. If a power cut undoes this,
  /// ``claimPublishing(runner:scope:)`` finds the jobs again.
  /// - Returns: the jobs that `runner` held.
  func finish(
    _ batch: [Finished], runner: UUID, now: Double
  ) async throws(Failure) -> Set<JobID>

  /// Interrupts a job whose publish started and cannot be finished; recovery finishes it later. A job with a pending
  /// command stays held, so that the command is not lost. Durable.
  /// - Returns: whether `runner` held the job and it was interrupted.
  func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) async throws(Failure) -> Bool

  /// Claims the jobs of `scope` that have no holder and whose publish has started. Their targets may exist already.
  func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job]

  // MARK: Repairing a published file

  /// Claims a complete job whose target is damaged, so that the new part file has an owner. No bytes are claimed yet:
  /// if the runner dies, the next one fetches all of them. Durable.
  /// - Parameters:
  ///   - specification: the new specification; for example, it may replace its target.
  ///   - sums: the known checksums of the file.
  /// - Returns: whether the job was still complete.
  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool

  /// Completes a job under repair again, as it was before, if its part file could not be made. Durable.
  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure)

  /// Queues a repair whose valid blocks are already in the part file. A pause that was requested in the meantime is
  /// carried out. Durable.
  /// - Parameter checkpoint: the valid bytes of the part file; size and validators are already recorded.
  /// - Returns: whether the runner held the job and no removal is pending.
  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool

  // MARK: Changing and importing jobs, with their part files

  /// Claims jobs while the runner moves their part files to new directories, all or none. Only
  /// ``DrayCore/JobOptions/moving`` changes until ``change(_:runner:now:)``. Durable.
  /// - Throws: as ``change(_:runner:now:)``.
  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure)

  /// Replaces the specifications of jobs that no runner holds and that are not complete, all or none. URLs, states and
  /// bytes stay. Changes made since ``JobRevision/before`` was read are not overwritten. Durable.
  /// - Parameter runner: the holder of the jobs whose part files it has moved (``beginMove(_:runner:)``); `nil` if none
  ///   were.
  /// - Throws: kind `other` for a job that cannot be changed, or was changed since it was read; kind `file` for a
  ///   target that belongs to another job; kind `usage` for a job or prerequisite that is missing or not allowed.
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure)

  /// Releases moved and imported jobs whose part files are in one place, in their earlier states. Recovery handles
  /// pending commands other than a pause. Durable.
  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure)

  /// Adds jobs of another store, all or none, in their order. A job that exists here unfinished is not added again.
  /// Durable.
  /// - Parameter runner: the holder of the jobs whose part files have yet to be made; it releases each by ending an
  ///   attempt. `nil` if there are none.
  /// - Returns: one entry for each job, in order.
  /// - Throws: as ``JobReading/add(_:marks:now:seen:)``.
  func restore(
    _ imported: [ImportedJob], runner: UUID?, now: Double
  ) async throws(Failure) -> [AddedJob]

  /// Returns the jobs of dead runners whose part files were being moved.
  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Records that the move of a dead runner's job has ended, with the part file in one place. Durable.
  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure)

  // MARK: Dead runners

  /// Returns the jobs of dead runners with a pending removal.
  func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Releases the jobs of dead runners and carries out pending commands: the jobs become `interrupted` or `paused`,
  /// start over, or are deleted. Durable.
  ///
  /// A job whose publish has started keeps ``DrayCore/Job/publishing``, so that recovery can finish it. Of the jobs to
  /// remove, only those in `removing` are deleted: the caller has deleted their part files. The others stay unchanged.
  /// - Returns: the jobs as they are now; removed jobs as they were.
  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob]

  /// Releases one job of a live runner that cannot end it otherwise, and carries out its pending command as for a dead
  /// runner. Durable.
  /// - Returns: whether `runner` held the job.
  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  // MARK: Closing

  /// Closes the store, even while it is in use: later calls throw. Blocks. Releasing a store closes it too.
  func close() throws(Failure)
}

/// A complete job store: the contract for everything above it.
package typealias JobStoring = JobReading & JobOwning & Liveness & UploadKeeping

extension JobOwning where Self: JobReading {
  /// Without a server, what was recorded survives the end of any process.
  package func settledJob(_ id: JobID) async throws(Failure) -> Job? { try await job(id) }
}

extension JobOwning {
  /// A store without a server forgets nothing while this process lives.
  package var connections: Int { 0 }

  package func undoneEnds(of runner: UUID) async throws(Failure) -> UndoneEnds { UndoneEnds() }
}

/// The jobs whose ends a crash of the store's server has undone.
package struct UndoneEnds: Sendable, Equatable {
  /// The jobs that are interrupted now.
  package var interrupted: [JobID] = []
  /// The jobs that have a pending command, and are still held.
  package var commands: [(id: JobID, command: JobCommand)] = []

  package init() {}

  package var isEmpty: Bool { interrupted.isEmpty && commands.isEmpty }

  package static func == (one: UndoneEnds, other: UndoneEnds) -> Bool {
    one.interrupted == other.interrupted && one.commands.elementsEqual(other.commands, by: ==)
  }
}
