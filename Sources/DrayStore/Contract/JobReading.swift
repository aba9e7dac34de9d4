// The contract of a job store, for everybody: adding jobs, looking at them, and saying what is wanted of them.
// What runners do with the jobs that they hold is in JobHolding.swift.

public import DrayCore

public import struct FoundationEssentials.UUID

/// The operations on a job store that do not need to hold jobs.
///
/// What holds for each method of this protocol and of ``JobHolding``:
///
/// - **Atomicity.** A call is one step: others see all of it or nothing, and what it reads is of one moment. Calls of all
///   processes have one order, in which each sees what came before.
/// - **Durability.** What a call has written when it returns survives the end of this process. Where it says *durable*, a power
///   cut, too, and so does everything that was written before it; without the word, a power cut may undo the last steps, but
///   never one without all that came after it.
/// - **Failures.** Each throws a failure of kind `store` where the store cannot be used: nothing was changed then. Other kinds
///   are said at the method; nothing was changed then either.
/// - **Threads.** A call waits for the store, and for other processes, without blocking the thread of its caller, unless
///   that was marked as one that may block (``BlockingThread``): there it is done at once, without another thread.
/// - Times are in seconds since 1970.
public protocol JobReading: Sendable {
  /// Where it is, for people.
  var path: String { get }

  // MARK: Adding jobs

  /// Adds jobs, all or none. Durable.
  ///
  /// A specification with the URL, directory and output of an unfinished job, or of one before it in this call, is that
  /// job. One whose explicit output is the target of an unfinished job with another URL gets a numbered name where
  /// its conflict policy says `rename`, and is refused otherwise.
  /// - Parameters:
  ///   - specifications: walked once; never held as a whole.
  ///   - marks: entries of feeds that are remembered in the same step.
  ///   - seen: the complete jobs that the caller has checked. One that is the newest of its URL, directory and output and
  ///     not among these became complete after the look: it counts as unfinished, or its file would be fetched twice.
  ///     `nil` if not checked.
  ///   - entrance: names, states and place of those that are new. A UUID that a job has stands for that job.
  /// - Returns: one entry for each specification, in order.
  /// - Throws: kind `file` for a target that is taken, kind `usage` for a job that cannot be waited for.
  func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob]

  /// Adds jobs again that were removed, all or none. One that had ended is as it was and is not fetched again; others begin from
  /// nothing. Durable.
  /// - Parameter jobs: as they were when they were removed.
  /// - Returns: one entry for each, in order.
  /// - Throws: as ``add(_:marks:now:seen:entering:)``.
  func bringBack(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob]

  /// Gives an unfinished job the request and the options that its user has just asked for it with. URL, target, bytes and the
  /// name of the part file stay, and so does a priority where none is given now. One that a runner holds is left as it is.
  /// - Returns: whether it was changed.
  func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool

  /// Queues complete jobs, to find out whether their file changed on the server, with the requests and options of now, in one
  /// step: no runner claims one with those it had. What was published stays on record, but for the digest. Those that are not
  /// complete any more stay as they are. Durable.
  func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure)

  // MARK: Looking

  /// The job of this number.
  func job(_ id: JobID) async throws(Failure) -> Job?

  /// The job whose files have this UUID.
  func job(uuid: UUID) async throws(Failure) -> Job?

  /// The jobs of these numbers, in this order; numbers without a job are left out.
  func jobs(ids: [JobID]) async throws(Failure) -> [Job]

  /// The newest job with a safe request for this URL, directory and output, whatever its state.
  func find(url: RequestURL, directory: String, output: String?) async throws(Failure) -> Job?

  /// Which of these URLs any job has, whatever its state.
  func known(_ urls: [RequestURL]) async throws(Failure) -> Set<String>

  /// The newest complete job with this target.
  func completeJob(named name: String, in directory: String) async throws(Failure) -> Job?

  /// The first `limit` jobs in these states (`nil` is all) whose numbers are larger than `id`, ascending.
  func summaries(
    after id: JobID, states: Set<JobState>?, limit: Int
  ) async throws(Failure) -> [JobSummary]

  /// The summaries of these jobs, in this order; numbers without a job are left out.
  func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary]

  /// The newest `limit` jobs in these states whose numbers begin with these digits, the newest first.
  func newest(
    states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) async throws(Failure) -> [JobSummary]

  /// The largest number that a job has; 0 if there is none. A number is never used twice.
  func newestID() async throws(Failure) -> JobID

  /// The numbers of the jobs in these states, ascending.
  func ids(states: Set<JobState>) async throws(Failure) -> [JobID]

  /// The groups that jobs belong to, in the order of their numbers. A group is made with its first job, and forgotten with its
  /// last; a number is never used twice.
  func groups() async throws(Failure) -> [StoredGroup]

  /// The numbers of the jobs of a group in these states, ascending.
  func ids(inGroup group: GroupID, states: Set<JobState>) async throws(Failure) -> [JobID]

  /// The states of these jobs; those that do not exist are left out.
  func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState]

  /// How many of the jobs `ids` (`nil` is all) are in which state; states without a job are left out.
  func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int]

  /// Which of these states any job has. Unlike ``counts(ids:)`` it costs the same however many jobs there are.
  func present(among states: Set<JobState>) async throws(Failure) -> Set<JobState>

  /// The jobs that `id` waits for: those that are not complete.
  func prerequisites(of id: JobID) async throws(Failure) -> [JobID]

  /// The jobs that failed because `id` did, or was removed.
  func failedDependents(of id: JobID) async throws(Failure) -> [Job]

  /// The attempts of a job that have ended, oldest first; of many the newest hundred.
  func attempts(of id: JobID) async throws(Failure) -> [AttemptRecord]

  /// How many attempts have ended since a mark, by job, without those of jobs that were removed.
  /// - Parameter mark: the `last` of the call before; `.max` counts none, to begin with.
  func endedAttempts(after mark: Int64) async throws(Failure) -> (
    last: Int64, jobs: [JobID: Int]
  )

  /// The checksums of what a job's checkpoint claims, or of its target; empty if none are known.
  func sums(of id: JobID) async throws(Failure) -> BlockSums

  /// Those of `uuids` that are of unfinished jobs, and so may have a part file. To be asked after a directory was read, or a
  /// job that was added meanwhile looks like none.
  func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// The names of the spooled bodies that jobs have.
  func bodyNames() async throws(Failure) -> Set<String>

  /// The runners that hold jobs, alive or dead.
  func activeRunners() async throws(Failure) -> Set<UUID>

  /// A mark that differs once anything in the store was changed, by any process.
  func changeMark() async throws(Failure) -> ChangeMark

  /// Calls `handler` at once, and soon after anything in the store has changed or a runner has come or gone, in this process or
  /// another: within a second. Several changes may be reported as one. It ends when the observation is released.
  /// - Parameter handler: called on any thread; it must not block.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation

  // MARK: Saying what is wanted

  /// Pauses jobs; bytes are kept. The runner of an active one is asked to. Durable.
  func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Queues paused and interrupted jobs again, to be tried at once; a queued one no longer waits for its time. Each asks once in spite
  /// of a hold on its origin. Durable.
  func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Starts jobs over from nothing: failed, interrupted or complete ones. Only a name that the user gave is kept. What
  /// failed because one of them had is queued again with it. Durable.
  /// - Parameter specifications: the requests and options of now, for those that are asked for with others.
  func retry(
    _ ids: [JobID], with specifications: [JobID: JobSpecification]
  ) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Forgets jobs. The results have them as they were: their part files are the caller's to remove, before this, so
  /// that no crash leaves one behind, and once more after it, as the job may have run between. The runner of an active one is
  /// asked to. Durable.
  func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)]

  /// Gives a job another URL for the same file; bytes and validators are kept. Fields, cookie, and user name and password of
  /// the request stay only within their origin: they are secrets of that one (P7). Durable.
  /// - Parameters:
  ///   - keepingCredentials: whether another origin gets them as well.
  ///   - completing: adds to the request what comes with the URL, in the same step. What it throws is thrown.
  func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult

  /// Moves jobs that wait, queued or stopped, to a place in the queue, in the order given. They get the priority of
  /// their neighbour there. Durable.
  /// - Throws: kind `usage` for a job that does not wait, or a place that does not exist.
  func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure)

  /// Limits the rate of one job; `nil` for no limit. Durable.
  /// - Returns: whether there is such a job.
  func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool

  /// Records the digest of a complete job's file. Durable.
  /// - Returns: whether there is such a job.
  func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool

  /// Forgets the jobs that are complete or failed. Durable.
  /// - Parameter before: only those that ended before this time; `nil` is all.
  /// - Returns: how many there were.
  func forgetFinished(before: Double?) async throws(Failure) -> Int

  // MARK: Holds

  /// The holds in force, ordered by their ends.
  func holds(now: Double) async throws(Failure) -> [OriginHold]

  /// Ends holds: their origins' jobs no longer wait, neither for the hold nor for a retry. Durable.
  /// - Parameter origins: in the form of ``OriginHold/origin``.
  func endHolds(of origins: [String]) async throws(Failure)

  /// Starts unfinished jobs at once: they no longer wait for a retry, and ask once in spite of a hold. A good answer
  /// ends the hold; another refusal renews it, and the others wait. Durable if anything changed.
  /// - Returns: the holds in force that the jobs override.
  func askAtOnce(_ ids: [JobID], now: Double) async throws(Failure) -> [HeldJobs]

  // MARK: What all runs share

  /// The value of a setting; `nil` if it has none.
  func setting(_ name: StoreSetting) async throws(Failure) -> String?

  /// Sets it, or removes it with `nil`. Durable.
  func set(_ name: StoreSetting, to value: String?) async throws(Failure)

  /// The copy of a document; `nil` if there is none.
  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument?

  /// Keeps a copy in place of the one before.
  func keep(_ document: StoredDocument) async throws(Failure)

  /// The feeds that something was queued of, by their URLs.
  func feeds() async throws(Failure) -> [StoredFeed]

  /// Which of these entries were added before (``add(_:marks:now:seen:)``), in any of the feeds.
  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String>

  /// The hosts that are to be visited over https only (RFC 6797).
  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry]

  /// Remembers what a host asked for; an entry that has expired takes it off the list.
  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure)

  /// The origins that can be reached over HTTP/3 (RFC 7838).
  func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry]

  /// Remembers what an origin offers; an entry that has expired takes it off the list.
  func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure)

  /// How many helped, of each origin, as was found within the last day.
  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int]

  /// Remembers how many helped.
  func record(
    _ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double
  ) async throws(Failure)
}

extension JobReading {
  /// Adds jobs at the end of the queue, all or none. Durable.
  public func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?
  ) async throws(Failure) -> [AddedJob] {
    try await add(specifications, marks: marks, now: now, seen: seen, entering: Entrance())
  }

  /// How many jobs are neither complete nor failed.
  public func unfinishedCount() async throws(Failure) -> Int {
    try await counts(ids: nil).reduce(0) { $1.key.isFinished ? $0 : $0 + $1.value }
  }

  /// Calls `body` with every job in these states (`nil` is all), in the order of their numbers.
  ///
  /// They are read in pages, each of one moment. The store is free while `body` runs: a reader that is slow keeps nobody
  /// from writing.
  /// - Throws: what `body` throws, and a failure of kind `store`.
  public func forEachSummary(
    states: Set<JobState>? = nil, _ body: (JobSummary) throws -> Void
  ) async throws {
    // Many enough to cost little, few enough to need little memory.
    let limit = 1000
    var last: JobID = 0
    while true {
      let page = try await summaries(after: last, states: states, limit: limit)
      for summary in page { try body(summary) }
      guard page.count == limit, let id = page.last?.id else { return }
      last = id
    }
  }
}
