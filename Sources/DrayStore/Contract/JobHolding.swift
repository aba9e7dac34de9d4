// The contract of a job store, for runners: claiming jobs, and recording what becomes of them.

package import DrayCore

package import struct FoundationEssentials.UUID

/// What runners do with the jobs that they hold. What ``JobReading`` says of atomicity, durability, failures and threads holds
/// here, too.
///
/// A job has one holder at most. Methods that have a `runner` change a job only while that runner holds it, and say whether it
/// does: after a `false` (or what stands for it) nothing was changed, and not a byte may be written to the job's files (P9).
/// ``Liveness`` says which runners are dead, for ``applyCommands(ofDeadRunners:removing:)``.
package protocol JobHolding: Sendable {
  // MARK: Claiming

  /// Registers a set of jobs, however large, to be used as ``ClaimScope/only(_:)`` with this store, as long as it is open.
  /// Other processes know nothing of it.
  func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope

  /// Adds jobs to a registered set: they are claimed and counted from now on.
  /// - Returns: the set as it is then.
  func extendScope(_ scope: IDScope, with ids: [JobID]) async throws(Failure) -> IDScope

  /// Makes up to `limit` queued jobs of `scope` the runner's own: those that are due, wait for no other job, and whose
  /// origin is not on hold and has room, by priority, then rank, then number.
  /// - Returns: the jobs, active; their attempts are counted up, what was wanted of them before is forgotten.
  func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, now: Double
  ) async throws(Failure) -> [Job]

  /// Gives jobs back that were claimed ahead and have not begun: they are queued as they were.
  /// - Returns: those with a pending command, which `runner` keeps.
  func giveBack(_ ids: [JobID], runner: UUID) async throws(Failure) -> Set<JobID>

  /// The earliest time at which a queued job of `scope` can be claimed, `now` if one can be already. Jobs that wait for
  /// others, or whose origin has no room, have no such time: they can be claimed when something else happens.
  func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, runner: UUID, now: Double
  ) async throws(Failure) -> Double?

  /// Whether a queued job of `scope` will be due automatically, or waits for one that is being transferred.
  func mayGoOn(scope: ClaimScope, now: Double) async throws(Failure) -> Bool

  /// Counts the jobs of `scope` that are queued or active. Cheap enough to be asked after every change.
  func pending(scope: ClaimScope, runner: UUID) async throws(Failure) -> PendingJobs

  /// Queues the interrupted jobs of `scope` again, as a run does when it begins, with all their retries before them,
  /// but for those whose request must not be repeated by itself (P10), and those whose server asked for a longer wait than
  /// their options allow, until that is over.
  /// - Returns: the numbers of the jobs that are queued now.
  func requeueInterrupted(scope: ClaimScope, now: Double) async throws(Failure) -> [JobID]

  /// Queues those interrupted jobs of `scope` again that no failure of their own stopped: their runner ended or died.
  /// - Returns: the numbers of the jobs that are queued now.
  func requeueAbandoned(scope: ClaimScope) async throws(Failure) -> [JobID]

  /// Keeps the jobs of an origin from being claimed, as its server asked (RFC 9110 §10.2.3). A longer hold stays,
  /// unless the refused job had a pass.
  func hold(_ hold: OriginHold) async throws(Failure)

  /// The queued jobs of `scope` that wait for holds, without those that have a pass.
  func heldJobs(scope: ClaimScope, now: Double) async throws(Failure) -> [HeldJobs]

  // MARK: While it transfers

  /// What is wanted of the jobs that `runner` holds.
  func commands(runner: UUID) async throws(Failure) -> [(id: JobID, command: JobCommand)]

  /// The rates that the jobs of `runner` are limited to; jobs without a limit are left out.
  func rateLimits(runner: UUID) async throws(Failure) -> [JobID: Int64]

  /// Records the last answer, and the size unless a checkpoint says otherwise. A good answer ends the hold for which
  /// the job had a pass, and the wait of the jobs that its server refused, where they wait no longer than it asked.
  func recordResponse(
    _ id: JobID, runner: UUID, _ response: ResponseRecord, size: Int64?
  ) async throws(Failure) -> Bool

  /// Fixes the name of a job's target, once: a name that is fixed already stays (a resume never renames).
  ///
  /// The policy says what to do if another unfinished job fetches to `name`; `rename` also keeps clear of what
  /// `exists` says is there on disk, and it alone asks.
  /// - Returns: the name that is fixed; `nil` if `runner` does not hold the job.
  /// - Throws: kind `file` for a target that another job fetches to.
  func fixName(
    _ id: JobID, runner: UUID, directory: String, name: String, policy: ConflictPolicy,
    exists: @escaping @Sendable (String) -> Bool
  ) async throws(Failure) -> String?

  /// Records what is on disk of several jobs. The bytes must be synced before. Durable.
  /// - Parameters:
  ///   - since: the marks of the checksums of which all that was known was recorded; of these jobs only those are
  ///     that came since.
  ///   - bad: bytes of the part file of the first job that were bad: what comes in their place must be the same.
  /// - Returns: the jobs that `runner` holds; of the others nothing was recorded.
  func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32], expecting bad: [BlockSums.Extent],
    runner: UUID
  ) async throws(Failure) -> Set<JobID>

  /// Forgets what is on disk, before bytes of another version are written over it (P2). Durable.
  /// - Parameter note: the reason, for people.
  func forgetCheckpoint(_ id: JobID, runner: UUID, note: String?) async throws(Failure) -> Bool

  /// What is expected of bytes that a job fetches again; `nil` if nothing is.
  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion?

  /// Records that a job is fetched from the start once more for this reason. Durable.
  /// - Returns: `false` if it was before, or `runner` does not hold the job.
  func recordDigestRetry(
    _ id: JobID, _ retry: DigestRetry, runner: UUID
  ) async throws(Failure) -> Bool

  /// Records what became of the partial file of another program that a job takes over, and claims its bytes. They must be synced
  /// before. Durable.
  /// - Parameter checkpoint: what of the part file is valid now; `nil` if nothing was taken over.
  func recordAdoption(
    _ id: JobID, runner: UUID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?
  ) async throws(Failure) -> Bool

  /// The session cookies of a job, lines in Netscape's format.
  func sessionCookies(_ id: JobID) async throws(Failure) -> [String]

  /// Keeps these in place of those before; none forgets them. Does nothing unless `runner` holds the job.
  func record(
    sessionCookies lines: [String], of id: JobID, runner: UUID
  ) async throws(Failure)

  /// Records that the request of a job is about to be sent, and must not be sent again by itself (P10). Durable.
  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool

  // MARK: How it ends

  /// Queues a job again after a failure that may pass, not to be tried before `notBefore`; `nil` is at once.
  /// - Parameter pending: what becomes of a command that came meanwhile.
  /// - Returns: whether `runner` held it, and it was done.
  func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Ends the attempt at a job, which becomes `failed` (what it had is forgotten, as its part file is gone), `interrupted` or `paused`. Durable.
  ///
  /// With `failed`, the jobs that wait for this one fail too (``JobReading/failedDependents(of:)``); a job whose published
  /// file was being repaired is complete as before.
  /// - Parameter pending: what becomes of a command that came in between.
  /// - Returns: whether `runner` held it, and it was done.
  func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool

  /// Starts over a job whose holder was asked to with ``JobCommand/retry``. Durable.
  /// - Returns: whether `runner` held it, and that is still wanted.
  func retryHeld(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  /// Deletes a job whose holder was asked to remove it. Durable.
  /// - Parameter isMet: whether its file is there all the same: then the jobs that wait for it may start, else they fail.
  func removeHeld(_ id: JobID, runner: UUID, isMet: Bool) async throws(Failure) -> Bool

  /// Makes a job complete whose answer has no body: it has no file, and its target no name. Durable.
  func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) async throws(Failure) -> Bool

  /// Sets free what a runner still holds when it ends: such jobs are interrupted. One with a pending command is left
  /// to recovery (``applyCommands(ofDeadRunners:removing:)``), so that the command is not lost. Durable.
  /// - Returns: how many there were.
  func release(_ runner: UUID) async throws(Failure) -> Int

  // MARK: Publishing

  /// Records that these part files are about to be renamed: recovery after a crash finds out by
  /// ``PublishIntent/identity`` whether they were. Jobs that were published before become complete in the same step.
  /// - Parameters:
  ///   - finished: jobs whose targets are there, as ``finish(_:runner:now:)`` has them.
  ///   - isDurable: whether it is durable when this returns.
  /// - Returns: what each job may do, in order.
  func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> [PublishPermit]

  /// Makes jobs complete, and forgets those that were to be removed. What a power cut undoes is found again by
  /// ``claimPublishing(runner:scope:)``.
  /// - Returns: the jobs that `runner` held.
  func finish(
    _ batch: [Finished], runner: UUID, now: Double
  ) async throws(Failure) -> Set<JobID>

  /// Stops a job whose publish has begun and could not be finished: it is interrupted, and recovery finishes it as it stands. One
  /// with a pending command stays held, so that the command is not lost. Durable.
  /// - Returns: whether `runner` held it, and it was done.
  func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) async throws(Failure) -> Bool

  /// Assigns to the runner the jobs of `scope` without a holder whose publish has begun: the target may be there already.
  func claimPublishing(runner: UUID, scope: ClaimScope) async throws(Failure) -> [Job]

  // MARK: Repairing a published file

  /// Makes a complete job whose target is damaged the runner's, so that the part file that is made next has an owner. Of that
  /// nothing is claimed yet: if the runner dies, the next one fetches all of it. Durable.
  /// - Parameters:
  ///   - specification: what it is asked for now: that it may replace its target, say.
  ///   - sums: what is known of the bytes that it must have again.
  /// - Returns: whether it was complete still.
  func beginRepair(
    _ id: JobID, _ specification: JobSpecification, sums: BlockSums, runner: UUID
  ) async throws(Failure) -> Bool

  /// Makes such a job complete again, as it was before, when its part file could not be made. Durable.
  func abandonRepair(_ job: Job, runner: UUID) async throws(Failure)

  /// Queues such a job, of whose target what is still valid is in its part file by now; a pause that was asked for meanwhile
  /// is carried out. Durable.
  /// - Parameter checkpoint: what of the part file is valid; its size and validators are on record already.
  /// - Returns: whether the runner held it, and it is not to be removed.
  func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint, runner: UUID
  ) async throws(Failure) -> Bool

  // MARK: Changing and importing jobs, with their part files

  /// Makes jobs the runner's while it moves their part files to the directories of these changes, all or none. Of the jobs
  /// themselves nothing changes but ``DrayCore/JobOptions/moving``, until ``change(_:runner:now:)``. Durable.
  /// - Throws: as ``change(_:runner:now:)``.
  func beginMove(_ changes: [JobRevision], runner: UUID) async throws(Failure)

  /// Gives jobs that no runner has, and that are not complete, other specifications, all or none: their URLs, states and bytes
  /// stay. What was changed since ``JobRevision/before`` was read is not overwritten. Durable.
  /// - Parameter runner: who holds those whose part files it has moved for this (``beginMove(_:runner:)``);
  ///   `nil` if there are none.
  /// - Throws: kind `other` for a job that cannot be changed, or was changed meanwhile; kind `file` for a target that is
  ///   another job's; kind `usage` for a job that is not there, or cannot be waited for.
  func change(_ changes: [JobRevision], runner: UUID?, now: Double) async throws(Failure)

  /// Gives back such jobs, and imported ones, whose part files are in one place each, in the states that they had. What was asked of one
  /// meanwhile, other than a pause, is left to recovery. Durable.
  func endMove(_ ids: [JobID], runner: UUID) async throws(Failure)

  /// Adds jobs of another store, all or none, in their order; those of an unfinished job here are that. Durable.
  /// - Parameter runner: who holds those whose part files are still to be made, and gives each back as an attempt at it ends;
  ///   `nil` if there are none.
  /// - Returns: one entry for each, in order.
  /// - Throws: as ``JobReading/add(_:marks:now:seen:)``.
  func restore(
    _ imported: [ImportedJob], runner: UUID?, now: Double
  ) async throws(Failure) -> [AddedJob]

  /// The jobs of dead runners whose part files they were moving.
  func movedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Records that the part file of such a job is in one place again. Durable.
  func recordMoveEnd(_ id: JobID, ofDeadRunner runner: UUID) async throws(Failure)

  // MARK: Runners that died

  /// The jobs that dead runners were asked to remove, and still hold.
  func doomedJobs(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [Job]

  /// Sets the jobs of runners that are dead free, and carries out what was asked of them: they are `interrupted`, `paused`,
  /// started over, or removed. Durable.
  ///
  /// A job that was being published keeps ``DrayCore/Job/publishing``, so that recovery can finish it. Of the jobs that were to
  /// be removed only those in `removing` are, whose part files the caller has removed; another one stays as it is.
  /// - Returns: the jobs as they are now; removed ones as they were.
  func applyCommands(
    ofDeadRunners runners: Set<UUID>, removing doomed: Set<JobID>
  ) async throws(Failure) -> [RecoveredJob]

  /// The same for one job of a runner that lives, and can do nothing more about it.
  func applyCommand(_ id: JobID, runner: UUID) async throws(Failure) -> Bool

  // MARK: The end

  /// Closes the store, whoever still uses it: every later call throws. Blocks. One that is simply released closes by itself.
  func close() throws(Failure)
}

/// A whole job store: the contract that everything above it is built on.
package typealias JobStoring = JobReading & JobHolding & Liveness

extension JobReading where Self: Liveness {
  /// How far the active jobs are, by what their runners showed last.
  /// - Parameter runner: whose jobs are left out.
  package func progress(besides runner: UUID? = nil) async throws(Failure) -> [JobID: ProgressEntry] {
    var all: [JobID: ProgressEntry] = [:]
    for other in try await activeRunners() where other != runner {
      for entry in try await board(of: other)?.entries ?? [] { all[entry.job] = entry }
    }
    return all
  }
}
