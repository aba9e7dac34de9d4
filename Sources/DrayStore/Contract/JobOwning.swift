// The contract of a job store for runners: claiming jobs, and recording their progress and outcomes.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The operations of runners on the jobs that they own. The rules of ``JobReading`` on atomicity, durability, failures
/// and threads also apply here.
///
/// A job has at most one owner. A method with a `runner` parameter changes a job only while that runner owns the job,
/// and returns whether it does. If the method returns `false` (or nothing), nothing was changed, and the runner must
/// not write another byte to the job's files (P9). ``Liveness`` tells which runners are dead, for
/// ``applyCommands(ofDeadRunners:removing:)``.
///
/// In some stores, a lease can end while the runner's process is still running (``RunnerLease/remaining``). Such a
/// store numbers all claims, and each process remembers the numbers of its claims. Each write carries the number of its
/// claim (P20). A write for an earlier claim of the same runner is refused like a write of another runner. A runner
/// claims a job again only after its earlier attempt has ended.
///
/// If such a store cannot be reached, calls wait. A call with a `runner` parameter waits until that runner's lease
/// ends. Any other call waits as long as the configuration says, but hardly beyond the end of this process's lease,
/// because a renewal of the lease may have to wait for the call. After that, the call throws a failure of kind `store`
/// with recovery `wait` (``DrayCore/Failure/isStoreAway``). The call may have been carried out nevertheless, and can be
/// repeated.
package protocol JobOwning: Sendable {
  // MARK: Claiming

  /// Registers a set of jobs of any size for ``ClaimScope/only(_:)``. The set is valid for this store object while the
  /// store is open. Other processes do not see it.
  func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope

  /// Adds jobs to a registered set. Later claims and counts include these jobs.
  /// - Returns: The set, now with these jobs.
  func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope

  /// Claims up to `limit` queued jobs that meet the query, in the order of priority, rank and number. Among jobs of
  /// equal priority, those whose last attempts failed (``DrayCore/RetryRecord/used``) come last. A job can be claimed
  /// if it is due, its window is open, and all its prerequisites are complete. Its origin must not be on hold, and must
  /// be below its limit. Its named queue, if any, must be open and below its limit.
  /// - Returns: The jobs, which are now active. Their numbers of attempts were increased, and old commands were
  ///   cleared.
  func claim(_ query: ClaimQuery, limit: Int, runner: UUID) async throws(Failure) -> [Job]

  /// Returns claimed jobs that have not started to the queue, without any other change.
  /// - Returns: The jobs that `runner` keeps because they have a pending command.
  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID>

  /// Returns the earliest time at which the query can find a job to claim; the query's `now` if it finds a job now.
  /// Some jobs have no such time: jobs that wait for other jobs, jobs of a paused queue, and jobs whose origin or named
  /// queue is at its limit.
  func nextDue(_ query: ClaimQuery, runner: UUID) async throws(Failure) -> Double?

  /// Returns whether any queued job of `scope` will become due, or waits for an active job. Jobs of a paused queue do
  /// not count.
  func mayGoOn(scope: ClaimScope, queues: QueueGates, now: Double) async throws(Failure) -> Bool

  /// Counts the queued and active jobs of `scope`. This takes so little time that it can be called after every change.
  func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs

  /// Queues the interrupted jobs of `scope` that a run continues, at its start, and resets their counts of retries. Two
  /// kinds of jobs stay interrupted: those whose request must not be repeated automatically (P10), and those whose
  /// server asked for a longer wait than their options allow, until that wait is over.
  /// - Returns: The numbers of the queued jobs.
  func requeueInterrupted(scope: ClaimScope, _ continued: ContinuedJobs, now: Double) async throws(Failure) -> [JobID]

  /// Queues the interrupted jobs of `scope` that a run continues and that have no failure, because their runner ended
  /// or died.
  /// - Returns: The numbers of the queued jobs.
  func requeueAbandoned(scope: ClaimScope, _ continued: ContinuedJobs) async throws(Failure) -> [JobID]

  /// Records that the jobs of an origin must wait, as its server asked (RFC 9110 §10.2.3). A longer hold stays in
  /// force, unless the refused job had a pass. With a pass, a job may send a request in spite of the hold.
  func hold(_ hold: OriginHold) async throws(Failure)

  /// Returns the queued jobs of `scope` that wait for holds, except jobs with a pass.
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs]

  /// Interrupts the queued jobs of `scope` whose options do not allow a wait as long as the hold on their origin. Jobs
  /// with a pass are left out. The jobs get the failure that a refused job gets. This call is durable.
  /// - Returns: The jobs after the change.
  func interruptHeld(scope: ClaimScope, now: Double) async throws(Failure) -> [Job]

  // MARK: During a transfer

  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)]

  /// Returns the rate limits of the runner's jobs; jobs without a limit are left out.
  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64]

  /// Returns the windows of the runner's jobs; jobs without a window are left out.
  func windows(runner: UUID) async throws(Failure) -> [JobID: TransferWindow]

  /// Adds received bytes to the count for the quota of a named queue. This does nothing for a queue without settings.
  /// - Parameter begin: The beginning of the present period. A count of an earlier period is dropped.
  func addUsage(_ bytes: Int64, of queue: String, since begin: Double) async throws(Failure)

  /// Records the last answer, and the size unless a checkpoint already contains one. A successful answer ends the hold
  /// for which the job had a pass, but not the waits of jobs that the server refused.
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool

  /// Fixes the name of a job's target. A name that is already fixed stays, because a resume never renames.
  ///
  /// If another unfinished job has the target `name`, the policy decides. The policy `rename` also avoids the names in
  /// `taken`, which exist in the directory.
  /// - Returns: The fixed name; `nil` if `runner` does not own the job.
  /// - Throws: Kind `file` if the target belongs to another job.
  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    taken: Set<String>
  ) async throws(Failure) -> String?

  /// Gives an owned job the first free name: `name`, or `name` with a number. A free name is not in `taken`, and is not
  /// the target of another unfinished job. This is for object stores, because an upload needs its key at the beginning.
  /// - Returns: The name; `nil` if `runner` does not own the job.
  func takeName(_ id: JobID, runner: UUID, name: String, taken: Set<String>) async throws(Failure) -> String?

  /// Applies rules to a job after its server has answered. The rules may change the job's options, directory, queue,
  /// window and priority, but not its request. This call is durable.
  /// - Returns: The changed job; `nil` if `runner` does not own it.
  /// - Throws: Kind `file` if the target belongs to another job.
  func applyRules(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Job?

  /// Replaces the request and the mirrors of an owned job by what a source gave for an expired link. Bytes and validators
  /// are kept. This call is durable.
  /// - Returns: Whether `runner` owns the job.
  func replaceLink(
    _ id: JobID, runner: UUID, _ change: @escaping @Sendable (inout JobSpecification) -> Void
  ) async throws(Failure) -> Bool

  /// Records checkpoints of several jobs. The caller must sync the bytes first. This call is durable.
  /// - Parameters:
  ///   - since: For each job, the mark up to which its checksums are already recorded; only newer ones are written.
  ///   - bad: Damaged bytes in the first job's part file. The bytes that replace them must have the same checksums.
  /// - Returns: The jobs that `runner` owns. For other jobs, nothing was recorded.
  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32], expecting bad: [BlockSums.Extent],
    runner: UUID
  ) async throws(Failure) -> Set<JobID>

  /// Removes a checkpoint before bytes of another version overwrite the recorded ones (P2). This call is durable.
  /// - Parameter note: The reason, which people read.
  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool

  /// Records the generation of an owned job's part file. This call is durable. Generations are needed only in a store
  /// in which a lease can end while the runner's process is still running (``DrayCore/PartGeneration``). Such a store
  /// marks the jobs of dead runners as lost, unless their processes are known to be gone from this machine.
  /// - Returns: Whether `runner` owns the job.
  func recordPart(_ id: JobID, runner: UUID, _ part: PartGeneration) async throws(Failure) -> Bool

  /// Returns the version that damaged bytes must have when they are fetched again; `nil` if any version will do.
  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion?

  /// Records that a job uses one of its retries after a wrong digest. This call is durable.
  /// - Returns: `false` if this retry was already used, or `runner` does not own the job.
  func recordDigestRetry(
    _ id: JobID, _ retry: DigestRetry, runner: UUID
  ) async throws(Failure) -> Bool

  /// Records the bytes that a job has taken over from other files, and what became of these files. The caller must sync
  /// the bytes first. This call is durable.
  /// - Parameters:
  ///   - checkpoint: The valid bytes of the part file; `nil` if no bytes were taken over.
  ///   - change: Records in the job's options what became of the files.
  func recordTaken(
    _ id: JobID, runner: UUID, _ checkpoint: Checkpoint?, _ change: @escaping @Sendable (inout JobOptions) -> Void
  ) async throws(Failure) -> Bool

  /// Returns the session cookies of a job, as lines in the Netscape format.
  func sessionCookies(_ id: JobID) async throws(Failure) -> [String]

  /// Replaces the session cookies of a job; an empty list deletes them. This does nothing unless `runner` owns the job.
  func record(
    sessionCookies lines: [String], of id: JobID, runner: UUID
  ) async throws(Failure)

  /// Records that a job is about to send a request that must not be repeated automatically (P10). This call is durable.
  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool

  // MARK: Ending

  /// Queues a job again, after a temporary failure or to start over.
  /// - Parameter pending: What becomes of a command that arrived during the attempt.
  /// - Returns: Whether `runner` owned the job and the job was queued.
  func requeue(
    _ id: JobID, runner: UUID, _ requeue: JobRequeue, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Ends an attempt without a file: the job becomes `failed`, `interrupted` or `paused`. The checkpoint of a failed
  /// job is removed, because its part file is gone. This call is durable.
  ///
  /// Jobs that depend on a `failed` job fail as well (``JobReading/failedDependents(of:)``). A job whose repair of a
  /// published file failed becomes complete again instead.
  /// - Parameter pending: What becomes of a command that arrived during the attempt.
  /// - Returns: Whether `runner` owned the job and the attempt was ended.
  func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Starts a job over whose owner received ``JobCommand/retry``. This call is durable.
  /// - Returns: Whether `runner` owned the job and the command was still pending.
  func retryOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  /// Deletes a job whose owner was asked to remove it. This call is durable.
  /// - Parameter isMet: Whether the job's file exists although the job is removed. If it exists, jobs that depend on
  ///   this one may start; otherwise they fail.
  func removeOwned(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool

  /// Completes a job whose answer has no body. The job gets no file, and its target gets no name. This call is durable.
  func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) async throws(Failure) -> Bool

  /// Interrupts the jobs that a runner still owns at its end, and clears the failures of their earlier attempts. Other
  /// runners may continue these jobs (``requeueAbandoned(scope:_:)``). Jobs with a pending command are left to recovery
  /// (``applyCommands(ofDeadRunners:removing:)``), so that the command is not lost. This call is durable.
  /// - Returns: The number of interrupted jobs.
  func release(_ runner: UUID) async throws(Failure) -> Int

  /// How often the store has connected to its server; 0 without a server. A crash of the server loses the newest
  /// records that were not durable.
  var connections: Int { get }

  /// Brings all earlier records to the disk, and restores records that a crash of the server has undone. Jobs that were
  /// completed are completed again. Other jobs that the runner had ended may have the runner as their owner again.
  /// These other jobs become interrupted, except jobs with a pending command. They become interrupted, except those
  /// with a pending command. This must be called only while the runner claims nothing.
  /// - Returns: The jobs that could not be completed.
  func undoneEnds(of runner: UUID) async throws(Failure) -> UndoneEnds

  /// Returns a job after all earlier records are on disk; `nil` if no such job exists. The job may be unfinished again,
  /// because a crash of the server undid its end.
  func settledJob(_ id: JobID) async throws(Failure) -> Job?

  // MARK: Publishing

  /// Records that part files are about to be renamed, and completes the `finished` jobs in the same step. After a
  /// crash, recovery uses ``PublishIntent/identity`` to find out whether the files were renamed.
  /// - Parameters:
  ///   - finished: Published jobs, as in ``finish(_:runner:now:)``.
  ///   - isDurable: Whether the record must be on the disk when the call returns; in a store with a server, it always
  ///     is.
  /// - Returns: The permit for each job, in order, and those of the `finished` jobs that `runner` owned.
  func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> PublishStart

  /// Completes published jobs, and deletes those whose removal is pending. If a power cut undoes this call,
  /// ``claimPublishing(runner:scope:)`` finds the jobs.
  /// - Returns: The jobs that `runner` owned, without those that have other arrangements than ``Finished/arranged``.
  func finish(
    _ batch: [Finished], runner: UUID, now: Double
  ) async throws(Failure) -> Set<JobID>

  /// Interrupts a job whose publish was started but cannot be finished now; recovery finishes it later. A job with a
  /// pending command stays owned, so that the command is not lost. This call is durable.
  /// - Returns: Whether `runner` owned the job and the job was interrupted.
  func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) async throws(Failure) -> Bool

  /// Claims the jobs of `scope` that have no owner although their publish was started. Their targets may exist already.
  func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job]

  // MARK: Repairing a published file

  /// Claims a complete job whose target is damaged, so that its new part file has an owner. At this point, no bytes are
  /// recorded: if the runner dies, the next runner fetches all of them. This call is durable.
  /// - Parameters:
  ///   - specification: The new specification, which may, for example, replace the target.
  ///   - sums: The known checksums of the file.
  /// - Returns: Whether the job was still complete.
  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool

  /// Makes a job under repair complete again, as it was before, because its part file could not be created. This call
  /// is durable.
  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure)

  /// Queues a repair whose valid blocks are already in the part file. If a pause was requested in the meantime, it is
  /// carried out. This call is durable.
  /// - Parameter checkpoint: The valid bytes of the part file. Size and validators are already recorded.
  /// - Returns: Whether the runner owned the job and no removal is pending.
  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool

  // MARK: Changing and importing jobs, with their part files

  /// Claims jobs whose part files the runner is about to move to new directories: either all of them or none. Until
  /// ``change(_:runner:now:)`` is called, only ``DrayCore/JobOptions/moving`` is changed. This call is durable.
  /// - Throws: The failures of ``change(_:runner:now:)``.
  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure)

  /// Replaces the specifications of jobs that have no owner and are not complete: either of all these jobs or of none.
  /// URLs, states and bytes stay. If a job has changed since ``JobRevision/before`` was read, nothing is overwritten.
  /// This call is durable.
  /// - Parameter runner: The owner of jobs whose part files it has moved (``beginMove(_:runner:)``); `nil` if none was
  ///   moved.
  /// - Throws: Kind `other` for a job that cannot be changed, or that was changed since it was read; kind `file` for a
  ///   target that belongs to another job; kind `usage` for a job or prerequisite that is missing or not allowed.
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure)

  /// Releases jobs that were moved or imported, once each part file is in one place. Each job gets its earlier state
  /// again. Pending commands other than a pause are left to recovery. This call is durable.
  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure)

  /// Adds jobs of another store in their order: either all of them or none. A job is not added if it already exists
  /// here and is unfinished. This call is durable.
  /// - Parameter runner: The owner of jobs whose part files must still be created. The runner releases each job by
  ///   ending an attempt. `nil` if all part files exist.
  /// - Returns: One entry for each job, in order.
  /// - Throws: The failures of ``JobReading/add(_:marks:now:seen:)``.
  func restore(
    _ imported: [ImportedJob], runner: UUID?, now: Double
  ) async throws(Failure) -> [AddedJob]

  /// Returns the jobs of dead runners whose part files were being moved.
  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Records that the move of a dead runner's job is over and that the part file is in one place. This call is durable.
  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure)

  // MARK: Dead runners

  /// Returns the jobs of dead runners with a pending removal.
  func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Releases the jobs of dead runners and carries out their pending commands: the jobs become `interrupted` or
  /// `paused`, start over, or are deleted. This call is durable.
  ///
  /// If a job's publish was started, it keeps ``DrayCore/Job/publishing``, so that recovery can finish the publish. Of
  /// the jobs with a pending removal, only those in `removing` are deleted now, because the caller has deleted their
  /// part files. The other ones stay unchanged.
  /// - Returns: The jobs after the change; for deleted jobs, as they were before.
  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob]

  /// Releases a job of a live runner that cannot end the job in any other way. A pending command is carried out as for
  /// a dead runner. This call is durable.
  /// - Returns: Whether `runner` owned the job.
  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  // MARK: Closing

  /// Closes the store, even while it is in use. Later calls throw. The call blocks the calling thread. The store is
  /// also closed when the last reference to it is gone.
  func close() throws(Failure)
}

/// A complete job store: the contract for everything above it.
package typealias JobStoring = JobReading & JobOwning & Liveness & UploadKeeping

extension JobOwning where Self: JobReading {
  /// In a store without a server, all records survive the end of any process, so nothing needs to be settled.
  package func settledJob(_ id: JobID) async throws(Failure) -> Job? { try await job(id) }
}

extension JobOwning {
  /// A store without a server cannot lose records while this process lives.
  package var connections: Int { 0 }

  package func undoneEnds(of runner: UUID) async throws(Failure) -> UndoneEnds { UndoneEnds() }
}

/// The jobs whose ends a crash of the store's server has undone.
package struct UndoneEnds: Sendable, Equatable {
  package var interrupted: [JobID] = []
  /// Jobs that have a pending command and still have an owner.
  package var commands: [(id: JobID, command: JobCommand)] = []

  package init() {}

  package var isEmpty: Bool { interrupted.isEmpty && commands.isEmpty }

  package static func == (one: UndoneEnds, other: UndoneEnds) -> Bool {
    one.interrupted == other.interrupted && one.commands.elementsEqual(other.commands, by: ==)
  }
}
