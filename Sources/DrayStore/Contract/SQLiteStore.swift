// The contract of a job store, kept by SQLite: what blocks is done on a thread that may.

package import Dispatch
import DrayCore

import struct Foundation.UUID

extension JobStore {
  /// This store under its contract.
  /// - Parameter queue: where it is used for callers whose thread must not block; without one, on a thread of its own.
  package func nonblocking(on queue: DispatchQueue? = nil) -> any JobStoring {
    SQLiteStore(self, queue ?? DispatchQueue(label: "dray.store", qos: .userInitiated))
  }
}

/// A ``JobStore`` for callers that must not block.
final class SQLiteStore: JobStoring {
  private let store: JobStore
  private let queue: DispatchQueue

  init(_ store: JobStore, _ queue: DispatchQueue) {
    (self.store, self.queue) = (store, queue)
    BlockingThread.mark(queue)
  }

  var path: String { store.path }

  nonisolated(nonsending) private func run<Value: Sendable>(
    _ body: @escaping @Sendable (JobStore) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if BlockingThread.isCurrent { return try body(store) }
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async { [store] in
        do throws(Failure) {
          continuation.resume(returning: .success(try body(store)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

// MARK: JobReading

extension SQLiteStore {
  nonisolated(nonsending) func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?
  ) async throws(Failure) -> [AddedJob] {
    // The caller waits: it is not used elsewhere meanwhile.
    nonisolated(unsafe) let specifications = AnySequence(specifications)
    return try await run { store throws(Failure) in try store.add(specifications, marks: marks, now: now, seen: seen) }
  }

  nonisolated(nonsending) func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.renew(id, with: specification) }
  }

  nonisolated(nonsending) func recheck(_ jobs: [(id: JobID, specification: JobSpecification)]) async throws(Failure) {
    try await run { store throws(Failure) in try store.recheck(jobs) }
  }

  nonisolated(nonsending) func job(_ id: JobID) async throws(Failure) -> Job? {
    try await run { store throws(Failure) in try store.job(id) }
  }

  nonisolated(nonsending) func job(uuid: UUID) async throws(Failure) -> Job? {
    try await run { store throws(Failure) in try store.job(uuid: uuid) }
  }

  nonisolated(nonsending) func jobs(ids: [JobID]) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in try store.jobs(ids: ids) }
  }

  nonisolated(nonsending) func find(url: RequestURL, directory: String, output: String?) async throws(Failure) -> Job? {
    try await run { store throws(Failure) in try store.find(url: url, directory: directory, output: output) }
  }

  nonisolated(nonsending) func completeJob(named name: String, in directory: String) async throws(Failure) -> Job? {
    try await run { store throws(Failure) in try store.completeJob(named: name, in: directory) }
  }

  nonisolated(nonsending) func summaries(after id: JobID, states: Set<JobState>?, limit: Int) async throws(Failure)
    -> [JobSummary]
  {
    try await run { store throws(Failure) in try store.summaries(after: id, states: states, limit: limit) }
  }

  nonisolated(nonsending) func summaries(ids: [JobID]) async throws(Failure) -> [JobSummary] {
    try await run { store throws(Failure) in try store.summaries(ids: ids) }
  }

  nonisolated(nonsending) func newestID() async throws(Failure) -> JobID {
    try await run { store throws(Failure) in try store.newestID() }
  }

  nonisolated(nonsending) func ids(states: Set<JobState>) async throws(Failure) -> [JobID] {
    try await run { store throws(Failure) in try store.ids(states: states) }
  }

  nonisolated(nonsending) func states(of ids: Set<JobID>) async throws(Failure) -> [JobID: JobState] {
    try await run { store throws(Failure) in try store.states(of: ids) }
  }

  nonisolated(nonsending) func counts(ids: Set<JobID>?) async throws(Failure) -> [JobState: Int] {
    try await run { store throws(Failure) in try store.counts(ids: ids) }
  }

  nonisolated(nonsending) func prerequisites(of id: JobID) async throws(Failure) -> [JobID] {
    try await run { store throws(Failure) in try store.prerequisites(of: id) }
  }

  nonisolated(nonsending) func failedDependents(of id: JobID) async throws(Failure) -> [Job] {
    try await run { store throws(Failure) in try store.failedDependents(of: id) }
  }

  nonisolated(nonsending) func attempts(of id: JobID) async throws(Failure) -> [Attempt] {
    try await run { store throws(Failure) in try store.attempts(of: id) }
  }

  nonisolated(nonsending) func sums(of id: JobID) async throws(Failure) -> BlockSums {
    try await run { store throws(Failure) in try store.sums(of: id) }
  }

  nonisolated(nonsending) func unfinished(among uuids: Set<UUID>) async throws(Failure) -> Set<UUID> {
    try await run { store throws(Failure) in try store.unfinished(among: uuids) }
  }

  nonisolated(nonsending) func bodyNames() async throws(Failure) -> Set<String> {
    try await run { store throws(Failure) in try store.bodyNames() }
  }

  nonisolated(nonsending) func activeRunners() async throws(Failure) -> Set<UUID> {
    try await run { store throws(Failure) in try store.activeRunners() }
  }

  nonisolated(nonsending) func changeMark() async throws(Failure) -> ChangeMark {
    try await run { store throws(Failure) in try store.changeMark() }
  }

  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation { store.observeChanges(handler) }

  nonisolated(nonsending) func pause(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.pause(ids) }
  }

  nonisolated(nonsending) func resume(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.resume(ids) }
  }

  nonisolated(nonsending) func retry(_ ids: [JobID], with specifications: [JobID: JobSpecification])
    async throws(Failure) -> [(id: JobID, result: ControlResult)]
  {
    try await run { store throws(Failure) in try store.retry(ids, with: specifications) }
  }

  nonisolated(nonsending) func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await run { store throws(Failure) in try store.remove(ids) }
  }

  nonisolated(nonsending) func setURL(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool,
    completing: @escaping @Sendable (TransferRequest) throws(Failure) -> TransferRequest
  ) async throws(Failure) -> ControlResult {
    try await run { store throws(Failure) in
      try store.setURL(id, url, keepingCredentials: keepingCredentials, completing: completing)
    }
  }

  nonisolated(nonsending) func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await run { store throws(Failure) in try store.move(ids, to: place) }
  }

  nonisolated(nonsending) func setRateLimit(_ rate: Int64?, of id: JobID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.setRateLimit(rate, of: id) }
  }

  nonisolated(nonsending) func record(_ digest: SourcedDigest, of id: JobID) async throws(Failure) -> Bool {
    try await run { store throws(Failure) in try store.record(digest, of: id) }
  }

  nonisolated(nonsending) func forgetFinished(before: Double?) async throws(Failure) -> Int {
    try await run { store throws(Failure) in try store.forgetFinished(before: before) }
  }

  nonisolated(nonsending) func setting(_ name: StoreSetting) async throws(Failure) -> String? {
    try await run { store throws(Failure) in try store.setting(name) }
  }

  nonisolated(nonsending) func set(_ name: StoreSetting, to value: String?) async throws(Failure) {
    try await run { store throws(Failure) in try store.set(name, to: value) }
  }

  nonisolated(nonsending) func document(_ url: RequestURL) async throws(Failure) -> StoredDocument? {
    try await run { store throws(Failure) in try store.document(url) }
  }

  nonisolated(nonsending) func keep(_ document: StoredDocument) async throws(Failure) {
    try await run { store throws(Failure) in try store.keep(document) }
  }

  nonisolated(nonsending) func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String> {
    try await run { store throws(Failure) in try store.known(guids, in: feeds) }
  }

  nonisolated(nonsending) func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry] {
    try await run { store throws(Failure) in try store.hstsEntries(now: now) }
  }

  nonisolated(nonsending) func record(hsts entry: HSTSEntry, now: Double) async throws(Failure) {
    try await run { store throws(Failure) in try store.record(hsts: entry, now: now) }
  }

  nonisolated(nonsending) func helpfulConnections(now: Double) async throws(Failure) -> [String: Int] {
    try await run { store throws(Failure) in try store.helpfulConnections(now: now) }
  }

  nonisolated(nonsending) func record(helpfulConnections count: Int, of origin: String, now: Double)
    async throws(Failure)
  {
    try await run { store throws(Failure) in try store.record(helpfulConnections: count, of: origin, now: now) }
  }
}

// MARK: JobHolding

extension SQLiteStore {
  nonisolated(nonsending) func registerScope(_ ids: [JobID]) async throws(Failure) -> IDScope {
    try await run { store throws(Failure) in try store.registerScope(ids) }
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

  nonisolated(nonsending) func hold(origin: Origin, until: Double, now: Double) async throws(Failure) {
    try await run { store throws(Failure) in try store.hold(origin: origin, until: until, now: now) }
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
