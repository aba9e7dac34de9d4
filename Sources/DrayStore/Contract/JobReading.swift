// The contract of a job store for all processes: adding jobs, reading them, and giving them commands. JobOwning.swift
// has the operations of runners on the jobs that they own.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The operations on a job store that a process may call without owning jobs. Times are in seconds since 1970.
///
/// These rules apply to each method of this protocol and of ``JobOwning``:
///
/// - **Atomicity.** A call is one step: other processes see all of its changes or none, and the call reads the state of
///   one moment. The calls of all processes have one order, and each call sees the effects of all earlier ones.
/// - **Durability.** A completed write survives the end of this process. A call that is documented as *durable*
///   survives a power cut, together with everything written before it. A power cut may undo the last calls that are not
///   durable, in reverse order: if it undoes a call, it undoes all later ones.
/// - **Failures.** A call throws a failure of kind `store` if the store cannot be used. Other kinds are documented with
///   each method. A call that throws has changed nothing.
/// - **Threads.** A call waits for the store and for other processes without blocking its caller's thread. On a thread
///   that is marked as allowed to block (``BlockingThread``), the call runs at once on that thread.
/// - Times are in seconds since 1970.
package protocol JobReading: Sendable {
  /// The location of the store as people read it, without secrets.
  var path: String { get }

  /// A text that identifies the store in the labels of part files. The text is the same on all machines that use the
  /// store, and no other store has it. For a store in a directory, the text is the directory's absolute path.
  var label: String { get }

  // MARK: Adding jobs

  /// Adds either all jobs or none of them. This call is durable.
  ///
  /// If an unfinished job, or an earlier specification in this call, has the same URL, directory and output, that job
  /// is returned. If an explicit output is the target of an unfinished job with another URL, the policy `rename` gives
  /// the new job a numbered name; other policies refuse it.
  /// - Parameters:
  ///   - specifications: The sequence is iterated only once, and never kept as a whole.
  ///   - marks: Entries of feeds to remember in the same step.
  ///   - seen: The complete jobs that the caller has checked; `nil` if it checked none. Suppose the newest job with the
  ///     same URL, directory and output is complete but not among these. Then it was completed after the check. Such a
  ///     job counts as unfinished; otherwise its file would be fetched twice.
  ///   - entrance: UUIDs, states and position of the new jobs. If a job already has one of the UUIDs, that job is
  ///     returned.
  /// - Returns: One entry for each specification, in order.
  /// - Throws: Kind `file` for a target that is taken; kind `usage` for a prerequisite that is not allowed.
  func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob]

  /// Restores removed jobs: either all of them or none. A job that had ended gets its old state and is not fetched
  /// again; any other job starts without bytes. This call is durable.
  /// - Parameter jobs: The jobs as they were when they were removed.
  /// - Returns: One entry for each job, in order.
  /// - Throws: The failures of ``add(_:marks:now:seen:entering:)``.
  func restore(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob]

  /// Replaces the request and options of an unfinished job when its user asks for the same download again. The URL, the
  /// target, the bytes and the name of the part file stay. The priority stays as well if the new one is the default. A
  /// job that a runner owns is not changed.
  /// - Returns: Whether the job was changed.
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool

  /// Queues complete jobs again, to check whether their files have changed on the server. The new requests and options
  /// are set in the same step; otherwise a runner might claim a job with the old ones. The record of the published file
  /// stays, apart from the digest. Jobs that are no longer complete stay unchanged. This call is durable.
  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure)

  /// Gives jobs new URLs, requests and options in one step, and makes them due. A job that starts over loses its bytes
  /// in the same step; its target stays. Jobs that a runner owns or that have ended are not changed. This call is
  /// durable.
  /// - Parameter change: Returns the new specification of a job as it is now, and whether it starts over; `nil` leaves
  ///   the job as it is. If this closure throws, nothing is changed, and the call throws the same failure.
  /// - Returns: The jobs that start over, as they were.
  func moveLinks(
    of ids: [JobID],
    _ change: @escaping @Sendable (Job) throws(Failure) -> (specification: JobSpecification, startsOver: Bool)?
  ) async throws(Failure) -> [Job]

  /// Adds arrangements to jobs in any state (``DrayCore/ArrangementRule``). The owner of an active job notices when it
  /// completes the job (``Finished/arranged``), if the job had arrangements before. This call is durable.
  /// - Parameters:
  ///   - requests: Requests for the files of unfinished jobs, which may give them mirrors
  ///     (``DrayCore/SourceAgainRule/mirrors(of:joinedBy:)``).
  ///   - mayReplace: Whether new arrangements take the place of old ones.
  /// - Returns: The states of the jobs that exist. The caller arranges the files of complete jobs itself.
  func arrange(
    _ wanted: [JobID: [SourceArrangement]], for requests: [JobID: [JobSpecification]], mayReplace: Bool
  ) async throws(Failure) -> [JobID: JobState]

  // MARK: Reading

  func job(_ id: JobID) async throws(Failure) -> Job?

  /// Returns the job whose files have this UUID.
  func job(uuid: UUID) async throws(Failure) -> Job?

  /// Returns jobs in the order of `ids`. Numbers without a job are left out.
  func jobs(ids: [JobID]) async throws(Failure) -> [Job]

  /// Returns the newest job in any state that has a safe request for this download. If a rule chose another directory
  /// later, the job is also found by the requested directory (``DrayCore/JobOptions/askedDirectory``).
  func find(_ download: DownloadKey) async throws(Failure) -> Job?

  /// Returns the URLs in `urls` that any job has, in any state.
  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String>

  /// Returns the unfinished job whose target is `name` at the place of a download.
  /// - Parameter job: The job of the download itself, which is ignored; 0 for none.
  func targetOwner(_ name: String, of download: JobSpecification, besides job: JobID) async throws(Failure)
    -> TargetClash?

  /// Returns the newest complete job with this target.
  /// - Parameter server: The server of an object; `nil` for any.
  func completeJob(named name: String, in directory: String, at server: String?) async throws(Failure) -> Job?

  /// Returns the first `limit` jobs of a selection with numbers above `id`, in ascending order.
  func summaries(after id: JobID, of choice: JobChoice, limit: Int) async throws(Failure) -> [JobSummary]

  /// Returns summaries in the order of `ids`. Numbers without a job are omitted.
  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary]

  /// Returns up to `limit` jobs in these states whose numbers begin with these digits, newest first.
  func newest(
    states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) async throws(Failure) -> [JobSummary]

  /// Returns the largest number of a job; 0 if there is none. Numbers are never reused.
  func newestID() async throws(Failure) -> JobID

  /// Returns the numbers of the jobs in these states, in ascending order.
  func ids(states: Set<JobState>) async throws(Failure) -> [JobID]

  /// Returns all groups, ordered by number. A group is created with its first job and deleted with its last. Numbers
  /// are never reused.
  func groups() async throws(Failure) -> [StoredGroup]

  /// Returns the numbers of a group's jobs in these states, in ascending order.
  func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID]

  /// Returns the states of these jobs; missing jobs are omitted.
  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState]

  /// Counts the jobs with the numbers `ids` (`nil` means all), by state. States without a job are omitted.
  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int]

  /// Returns the states in `states` that any job has. Unlike ``counts(ids:)``, this costs the same for any number of
  /// jobs.
  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState>

  /// Returns the prerequisites of a job that are not complete.
  func prerequisites(of id: JobID) async throws(Failure) -> [JobID]

  /// Returns the jobs that failed because `id` failed or was removed.
  func failedDependents(of id: JobID) async throws(Failure) -> [Job]

  /// Returns the ended attempts of a job, oldest first; at most the last hundred.
  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord]

  /// Counts the attempts that have ended since a mark, by job. Attempts of removed jobs are not counted.
  /// - Parameter mark: The `last` of the previous call; with `.max`, the call counts nothing and returns a first mark.
  func endedAttempts(after mark: Int64) async throws(Failure) -> (
    last: Int64, jobs: [JobID: Int]
  )

  /// Returns the known checksums of the bytes in a job's checkpoint, or of its target; empty if none are known.
  func sums(of id: JobID) async throws(Failure) -> BlockSums

  /// Returns the UUIDs in `uuids` whose jobs are unfinished, so that they may have part files. List the directory of
  /// part files before this call: if a job is added after this call, its part file would look like a stray one.
  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// Returns the names of the spooled bodies that jobs use.
  func bodyNames() async throws(Failure) -> Set<String>

  /// Returns the runners that own jobs, alive or dead, with the number of jobs of each.
  func ownedJobCounts() async throws(Failure) -> [UUID: Int]

  /// Returns a mark that is different after any change to the store by any process.
  func changeMark() async throws(Failure) -> ChangeMark

  /// Calls `handler` at once, then within a second after the store changes or a runner starts or ends, in any process.
  /// Several changes may be reported as one. Release the returned object to end the observation.
  /// - Parameter handler: Called on any thread; must not block.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation

  // MARK: Commands

  /// Pauses jobs; their bytes are kept. For an active job, the command is passed to its runner. This call is durable.
  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Queues paused and interrupted jobs to start at once, and makes queued jobs due. Each of these jobs may send one
  /// request despite a hold on its origin. This call is durable.
  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Starts failed, interrupted or complete jobs over from nothing. Only a name that the user gave is kept. Jobs that
  /// failed because one of these jobs failed are queued, too. This call is durable.
  /// - Parameter specifications: New requests and options; other jobs keep theirs.
  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Removes jobs from the store; the results contain the jobs as they were. For an active job, the command is passed
  /// to its runner. This call is durable.
  ///
  /// The caller must delete the part files twice: before this call, so that a crash leaves none behind, and after this
  /// call, because a job may have run between the two.
  /// - Parameter removed: The images and snapshots that are removed, of these jobs and perhaps of others. Unfinished
  ///   jobs for whose files other names wait stay (``DrayCore/ArrangementRule/Removed``): such a job loses what the
  ///   removed names wanted, and leaves its group; the results do not contain it. `nil` if no job stays.
  func remove(
    _ ids: [JobID], with removed: ArrangementRule.Removed?
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Pauses, resumes or removes the next jobs in these states, all in one step, like ``pause(_:)``, ``resume(_:)`` and
  /// ``remove(_:)``. Two kinds of jobs are left alone and returned: those that a runner owns, and those whose removal
  /// concerns more than a record (part files, uploads, bodies). This call is durable.
  ///
  /// To reach all jobs, call again with the last number; other programs can work in between. If a caller stops early, a
  /// later call changes the remaining jobs.
  /// - Parameters:
  ///   - action: ``ControlAction/pause``, ``ControlAction/resume`` or ``ControlAction/remove``.
  ///   - id: The number after which this call begins.
  ///   - limit: The maximum number of jobs.
  func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) async throws(Failure) -> ControlPage

  /// Replaces the URL of a job for the same file. Bytes and validators are kept. Header fields, cookies and credentials
  /// are secrets of their origin (P7), so they are kept only if the new URL has the same origin. This call is durable.
  /// - Parameters:
  ///   - keepingCredentials: Whether to keep these secrets even if the new URL has another origin.
  ///   - completing: Adds the values that depend on the URL to the request, in the same step. If this closure throws,
  ///     the call throws the same failure.
  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult

  /// Moves waiting jobs (queued or stopped) to a position in the queue, in the order of `ids`. They get the priority of
  /// the job beside that position. This call is durable.
  /// - Throws: Kind `usage` for a job that does not wait, or a position that does not exist.
  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure)

  /// Limits the rate of one job; `nil` removes the limit. This call is durable.
  /// - Returns: Whether the job exists.
  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool

  /// Records the digest of a complete job's file. This call is durable.
  /// - Returns: Whether the job exists and is complete.
  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool

  /// Deletes complete and failed jobs, the oldest numbers first. This call is durable.
  /// - Parameters:
  ///   - before: Only jobs that ended before this time; `nil` means all.
  ///   - limit: The maximum number of jobs.
  /// - Returns: The number of deleted jobs; less than `limit` if none is left.
  func forgetFinished(before: Double?, limit: Int) async throws(Failure) -> Int

  // MARK: Holds

  /// Returns the holds that are in force, ordered by their ends.
  func holds(now: Double) async throws(Failure) -> [OriginHold]

  /// Ends holds: the jobs of these origins wait neither for the hold nor for a retry any more. This call is durable.
  /// - Parameter origins: In the form of ``OriginHold/origin``.
  func endHolds(of origins: [String]) async throws(Failure)

  /// Makes unfinished jobs due at once: they do not wait for a retry, and may each send one request despite a hold. A
  /// good answer ends the hold; another refusal renews it, and the other jobs go on waiting. This call is durable if
  /// anything changed.
  /// - Returns: The holds in force that these jobs ignore.
  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs]

  // MARK: Named queues

  /// Returns the named queues that have settings, ordered by name.
  func queues() async throws(Failure) -> [NamedQueue]

  /// Changes the settings of a named queue; a queue without settings gets some. This call is durable.
  /// - Returns: The changed queue.
  func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) async throws(Failure) -> NamedQueue

  /// Deletes the settings of a named queue. Its jobs keep the name of the queue. This call is durable.
  /// - Returns: Whether the queue had settings.
  func removeQueue(_ name: String) async throws(Failure) -> Bool

  /// Counts the jobs of each named queue by state. States without a job are omitted.
  func queueCounts() async throws(Failure) -> [String: [JobState: Int]]

  // MARK: Data shared by all runs

  /// Returns the value of a setting; `nil` if the setting has no value.
  func setting(_ name: StoreSetting) async throws(Failure) -> String?

  /// Sets the value of a setting; `nil` removes it. This call is durable.
  func set(_ name: StoreSetting, to value: String?) async throws(Failure)

  /// Returns the marks of the known shares, by the paths of their top directories (``DrayCore/ShareRule``).
  func shares() async throws(Failure) -> [String: String]

  /// Records the mark of a share, unless one is known for its path. This call is durable.
  /// - Returns: The known mark: the new one, or an earlier one.
  func enter(share path: String, mark: String) async throws(Failure) -> String

  /// Returns the copy of a document; `nil` if none is stored.
  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument?

  /// Stores a copy of a document in place of the previous copy.
  func keep(_ document: StoredDocument) async throws(Failure)

  /// Returns the feeds that have handled entries, by URL.
  func feeds() async throws(Failure) -> [StoredFeed]

  /// Returns the GUIDs in `guids` that were already added from any of these feeds (``add(_:marks:now:seen:)``).
  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String>

  /// Returns the hosts that must be reached over https only (RFC 6797).
  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry]

  /// Records an HSTS entry. Recording an expired entry removes its host from the list.
  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure)

  /// Returns the origins that can be reached over HTTP/3 (RFC 7838).
  func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry]

  /// Records the HTTP/3 service that an origin offers. Recording an expired entry removes its origin from the list.
  func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure)

  /// Callers wait for each other, whichever connections they use. Callers on all connections take turns.
  /// - Parameters:
  ///   - origin: The origin as text, such as `https://host`.
  ///   - pause: The seconds that must follow the start.
  /// - Returns: The start, in seconds since 1970.
  func reserveStart(at origin: String, pause: Double, now: Double) async throws(Failure) -> Double

  /// Returns the number of connections or jobs that helped each origin, as learned within the last day.
  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int]

  func record(
    _ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double
  ) async throws(Failure)
}
