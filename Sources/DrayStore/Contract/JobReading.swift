// The contract of a job store for all processes: adding jobs, reading them, and giving commands. JobOwning.swift has
// the operations of runners on the jobs that they hold.

public import DrayCore

public import struct FoundationEssentials.UUID

/// The operations on a job store that do not need to hold jobs.
///
/// Rules for each method of this protocol and of ``JobOwning``:
///
/// - **Atomicity.** A call is one step: others see all of it or nothing, and it reads the state of one moment. The
///   calls of all processes have one order, and each call sees those before it.
/// - **Durability.** A completed write survives the end of this process. A call documented as *durable* also survives a
///   power cut, together with everything written before it. Without the word, a power cut may undo the last steps, but
///   never a step without all later ones.
/// - **Failures.** A call throws a failure of kind `store` if the store cannot be used. Each method documents its other
///   kinds. A call that throws has changed nothing.
/// - **Threads.** A call waits for the store and for other processes without blocking its caller's thread. On a thread
///   marked as one that may block (``BlockingThread``), it runs at once on that thread.
/// - Times are in seconds since 1970.
public protocol JobReading: Sendable {
  /// The location of the store, for people, without secrets.
  var path: String { get }

  /// Identifies the store in the labels of part files: the same text on every machine that uses the store, and another
  /// one for any other store. For a store in a directory, the absolute path of the directory.
  var label: String { get }

  // MARK: Adding jobs

  /// Adds jobs, all or none. Durable.
  ///
  /// A specification with the URL, directory and output of an unfinished job, or of an earlier one in this call,
  /// returns that job. If an explicit output is the target of an unfinished job with another URL, the conflict policy
  /// `rename` gives it a numbered name; other policies refuse it.
  /// - Parameters:
  ///   - specifications: iterated once; never held as a whole.
  ///   - marks: feed entries to remember in the same step.
  ///   - seen: the complete jobs that the caller has checked, or `nil` if it checked none. If the newest job with the
  ///     same URL, directory and output is complete and not among these, it was completed after the check. It counts as
  ///     unfinished, otherwise its file would be fetched twice.
  ///   - entrance: UUIDs, states and position of the new jobs. A UUID that a job already has returns that job.
  /// - Returns: one entry for each specification, in order.
  /// - Throws: kind `file` for a target that is taken; kind `usage` for a prerequisite that is not allowed.
  func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob]

  /// Restores removed jobs, all or none. A job that had ended gets its old state and is not fetched again; others start
  /// from nothing. Durable.
  /// - Parameter jobs: the jobs as they were when they were removed.
  /// - Returns: one entry for each job, in order.
  /// - Throws: as ``add(_:marks:now:seen:entering:)``.
  func restore(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob]

  /// Replaces the request and options of an unfinished job when its user asks for the same download again. URL, target,
  /// bytes and part file name stay. The priority stays if the new one is the default. A job that a runner holds is not
  /// changed.
  /// - Returns: whether the job was changed.
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool

  /// Queues complete jobs to check whether their files changed on the server. The new requests and options are set in
  /// the same step, so no runner claims a job with its old ones. The record of the published file stays, except the
  /// digest. Jobs that are no longer complete stay unchanged. Durable.
  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure)

  // MARK: Reading

  /// Returns the job with this number.
  func job(_ id: JobID) async throws(Failure) -> Job?

  /// Returns the job whose files have this UUID.
  func job(uuid: UUID) async throws(Failure) -> Job?

  /// Returns the jobs with these numbers, in this order. Numbers without a job are omitted.
  func jobs(ids: [JobID]) async throws(Failure) -> [Job]

  /// Returns the newest job in any state with a safe request for this download. A job whose directory a rule chose later
  /// is also found by the one that was asked for (``DrayCore/JobOptions/askedDirectory``).
  func find(_ download: DownloadKey) async throws(Failure) -> Job?

  /// Returns the URLs among `urls` that any job has, in any state.
  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String>

  /// Returns the unfinished job that has `name` in the place of a download as its target.
  /// - Parameter job: the job of the download, which does not count; 0 for none.
  func targetOwner(_ name: String, of download: JobSpecification, besides job: JobID) async throws(Failure)
    -> TargetClash?

  /// Returns the newest complete job with this target.
  /// - Parameter server: the server of an object; `nil` for any.
  func completeJob(named name: String, in directory: String, at server: String?) async throws(Failure) -> Job?

  /// Returns the first `limit` jobs of a selection with numbers above `id`, in ascending order.
  func summaries(after id: JobID, of choice: JobChoice, limit: Int) async throws(Failure) -> [JobSummary]

  /// Returns the summaries of these jobs, in this order. Numbers without a job are omitted.
  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary]

  /// Returns up to `limit` jobs in these states whose numbers start with these digits, newest first.
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

  /// Returns the states of these jobs. Missing jobs are omitted.
  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState]

  /// Counts the jobs `ids` (`nil` means all) by state. States without a job are omitted.
  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int]

  /// Returns the states that any job has. Unlike ``counts(ids:)``, the cost does not grow with the number of jobs.
  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState>

  /// Returns the prerequisites of `id` that are not complete.
  func prerequisites(of id: JobID) async throws(Failure) -> [JobID]

  /// Returns the jobs that failed because `id` failed or was removed.
  func failedDependents(of id: JobID) async throws(Failure) -> [Job]

  /// Returns the ended attempts of a job, oldest first; at most the latest hundred.
  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord]

  /// Counts the attempts that have ended since a mark, by job. Attempts of removed jobs are not counted.
  /// - Parameter mark: the `last` of the previous call; `.max` counts nothing and returns a first mark.
  func endedAttempts(after mark: Int64) async throws(Failure) -> (
    last: Int64, jobs: [JobID: Int]
  )

  /// Returns the known checksums of the bytes in a job's checkpoint, or of its target; empty if none are known.
  func sums(of id: JobID) async throws(Failure) -> BlockSums

  /// Returns the `uuids` of unfinished jobs, which may have part files. Call it after reading the directory; otherwise
  /// the part file of a job added in between looks orphaned.
  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// Returns the names of all spooled bodies that jobs use.
  func bodyNames() async throws(Failure) -> Set<String>

  /// Returns the runners that hold jobs, alive or dead, with the numbers of these jobs.
  func ownedJobCounts() async throws(Failure) -> [UUID: Int]

  /// Returns a mark that differs after any change to the store by any process.
  func changeMark() async throws(Failure) -> ChangeMark

  /// Calls `handler` at once, then within a second after the store changes or a runner starts or ends, in any process.
  /// Several changes may be reported as one. Releasing the observation ends it.
  /// - Parameter handler: called on any thread; it must not block.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation

  // MARK: Commands

  /// Pauses jobs; their bytes are kept. The runner of an active job is asked to pause it. Durable.
  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Queues paused and interrupted jobs to start at once. A queued job no longer waits for its time. Each job may ask
  /// once despite a hold on its origin. Durable.
  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Starts failed, interrupted or complete jobs over from nothing. Only a name that the user gave is kept. Jobs that
  /// failed because of one of them are queued with it. Durable.
  /// - Parameter specifications: new requests and options, for the jobs that change theirs.
  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Removes jobs from the store; the results have them as they were. The runner of an active job is asked to remove
  /// it. Durable.
  ///
  /// The caller deletes the part files: once before this call, so that no crash leaves one behind, and once after it,
  /// as the job may have run in between.
  func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Pauses, resumes or removes the next jobs in these states, as ``pause(_:)``, ``resume(_:)`` and ``remove(_:)`` do, in
  /// one step for all. Jobs that a runner holds, or that leave more than their record behind when they are removed (part
  /// files, uploads, bodies), are not changed, but returned. Durable.
  ///
  /// A caller repeats it with the last number to reach all jobs. Other programs work in between, and a caller that ends
  /// early leaves jobs that the next one changes.
  /// - Parameters:
  ///   - action: ``ControlAction/pause``, ``ControlAction/resume`` or ``ControlAction/remove``.
  ///   - id: the number after which it begins.
  ///   - limit: the maximum number of jobs.
  func control(
    _ action: ControlAction, allIn states: Set<JobState>, after id: JobID, limit: Int
  ) async throws(Failure) -> ControlPage

  /// Replaces the URL of a job for the same file. Bytes and validators are kept. Header fields, cookies and credentials
  /// stay only within their origin: they are secrets of that origin (P7). Durable.
  /// - Parameters:
  ///   - keepingCredentials: whether another origin gets them as well.
  ///   - completing: adds URL-dependent parts to the request, in the same step. Its failure is thrown.
  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult

  /// Moves waiting jobs, queued or stopped, to a position in the queue, in the order given. They get the priority of
  /// their neighbour there. Durable.
  /// - Throws: kind `usage` for a job that does not wait, or a position that does not exist.
  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure)

  /// Limits the rate of one job; `nil` removes the limit. Durable.
  /// - Returns: whether the job exists.
  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool

  /// Records the digest of a complete job's file. Durable.
  /// - Returns: whether there is such a complete job.
  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool

  /// Deletes complete and failed jobs, the oldest numbers first. Durable.
  /// - Parameters:
  ///   - before: only jobs that ended before this time; `nil` means all.
  ///   - limit: at most this many.
  /// - Returns: the number of deleted jobs; less than `limit` if none is left.
  func forgetFinished(before: Double?, limit: Int) async throws(Failure) -> Int

  // MARK: Holds

  /// Returns the holds in force, ordered by their ends.
  func holds(now: Double) async throws(Failure) -> [OriginHold]

  /// Ends holds: jobs of these origins no longer wait, neither for the hold nor for a retry. Durable.
  /// - Parameter origins: in the form of ``OriginHold/origin``.
  func endHolds(of origins: [String]) async throws(Failure)

  /// Makes unfinished jobs due at once: they no longer wait for a retry, and ask once despite a hold. A good answer
  /// ends the hold. Another refusal renews it, and the other jobs wait. Durable if anything changed.
  /// - Returns: the holds in force that the jobs override.
  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs]

  // MARK: Named queues

  /// Returns the named queues that have settings, ordered by name.
  func queues() async throws(Failure) -> [NamedQueue]

  /// Changes the settings of a named queue, which need not exist. Durable.
  /// - Returns: the queue as it is now.
  func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) async throws(Failure) -> NamedQueue

  /// Deletes the settings of a named queue. Its jobs keep its name. Durable.
  /// - Returns: whether it had any.
  func removeQueue(_ name: String) async throws(Failure) -> Bool

  /// Counts the jobs of each named queue by state. States without a job are omitted.
  func queueCounts() async throws(Failure) -> [String: [JobState: Int]]

  // MARK: Data shared by all runs

  /// Returns the value of a setting; `nil` if it is not set.
  func setting(_ name: StoreSetting) async throws(Failure) -> String?

  /// Sets a setting; `nil` removes it. Durable.
  func set(_ name: StoreSetting, to value: String?) async throws(Failure)

  /// Returns the marks of the shares that are known, by the paths of their uppermost directories
  /// (``DrayCore/ShareRule``).
  func shares() async throws(Failure) -> [String: String]

  /// Records the mark of a share, unless one is known for its path. Durable.
  /// - Returns: the mark that is known now.
  func enter(share path: String, mark: String) async throws(Failure) -> String

  /// Returns the copy of a document; `nil` if there is none.
  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument?

  /// Stores a copy in place of the previous one.
  func keep(_ document: StoredDocument) async throws(Failure)

  /// Returns the feeds whose entries were queued, by URL.
  func feeds() async throws(Failure) -> [StoredFeed]

  /// Returns the `guids` that were added before (``add(_:marks:now:seen:)``) from any of the feeds.
  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String>

  /// Returns the hosts that must be reached over https only (RFC 6797).
  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry]

  /// Records an HSTS entry; an expired entry removes the host from the list.
  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure)

  /// Returns the origins that can be reached over HTTP/3 (RFC 7838).
  func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry]

  /// Records what an origin offers; an expired entry removes the origin from the list.
  func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure)

  /// Reserves the start of a request at an origin (``PaceRecord/next(after:pause:now:)``). Callers on all connections
  /// take turns.
  /// - Parameters:
  ///   - origin: as text, `https://host`.
  ///   - pause: the seconds that must follow the start.
  /// - Returns: the start, in seconds since 1970.
  func reserveStart(at origin: String, pause: Double, now: Double) async throws(Failure) -> Double

  /// Returns the helpful count of each origin, as learned within the last day.
  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int]

  /// Records a helpful count of an origin.
  func record(
    _ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double
  ) async throws(Failure)
}

extension JobReading {
  /// Returns the first `limit` jobs in these states (`nil` means all) with numbers above `id`, in ascending order.
  public func summaries(
    after id: JobID, states: Set<JobState>?, limit: Int
  ) async throws(Failure) -> [JobSummary] {
    try await summaries(after: id, of: JobChoice(states: states), limit: limit)
  }

  /// Adds jobs at the end of the queue, all or none. Durable.
  public func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?
  ) async throws(Failure) -> [AddedJob] {
    try await add(specifications, marks: marks, now: now, seen: seen, entering: Entrance())
  }

  /// Deletes complete and failed jobs in batches, so that other processes never wait long.
  /// - Parameter before: only jobs that ended before this time; `nil` means all.
  /// - Returns: the number of deleted jobs.
  public func forgetFinished(before: Double?) async throws(Failure) -> Int {
    let limit = 5000
    var deleted = 0
    while true {
      let batch = try await forgetFinished(before: before, limit: limit)
      deleted += batch
      guard batch == limit else { return deleted }
    }
  }

  /// The files of a store of one machine are on that machine.
  public func shares() async throws(Failure) -> [String: String] { [:] }

  /// The files of a store of one machine are on that machine.
  public func enter(share path: String, mark: String) async throws(Failure) -> String { mark }

  /// Counts the jobs that are neither complete nor failed.
  public func unfinishedCount() async throws(Failure) -> Int {
    try await counts(ids: nil).reduce(0) { $1.key.isFinished ? $0 : $0 + $1.value }
  }

  /// Calls `body` with every job in these states (`nil` means all), ordered by number, as ``forEachSummary(of:_:)``.
  public func forEachSummary(
    states: Set<JobState>? = nil, _ body: (JobSummary) throws -> Void
  ) async throws {
    try await forEachSummary(of: JobChoice(states: states), body)
  }

  /// Calls `body` with every job of a selection, ordered by number.
  ///
  /// Jobs are read in pages, each from one moment. The store is free while `body` runs, so a slow reader delays no
  /// writer.
  /// - Throws: any error of `body`, and a failure of kind `store`.
  public func forEachSummary(of choice: JobChoice, _ body: (JobSummary) throws -> Void) async throws {
    // Large enough to cost little, small enough to need little memory.
    let limit = 1000
    var last: JobID = 0
    while true {
      let page = try await summaries(after: last, of: choice, limit: limit)
      for summary in page { try body(summary) }
      guard page.count == limit, let id = page.last?.id else { return }
      last = id
    }
  }
}
