// Short forms of a store's calls, with defaults for the parameters that tests rarely need.

package import DrayCore
package import DrayStore
package import Foundation

extension JobOwning where Self: JobReading {
  /// Adds a job for each path below `http://h/`.
  package func add(
    _ paths: String..., output: String? = nil, priority: Int = 0, after: [JobID] = [], policy: ConflictPolicy = .fail
  ) async throws -> [JobID] {
    let all = try paths.map { path in
      var one = try specification("http://h/\(path)", output: output, priority: priority, policy: policy)
      one.after = after
      return one
    }
    return try await add(all, marks: [], now: 1, seen: nil).map(\.id)
  }

  /// Claims due jobs.
  package func claim(_ runner: UUID, limit: Int = 9, scope: ClaimScope = .all, now: Double = 2) async throws -> [Job] {
    try await claim(runner: runner, limit: limit, scope: scope, jobsPerOrigin: .unlimited, now: now)
  }

  /// Adds a job and claims it.
  package func held(_ path: String, by runner: UUID) async throws -> JobID {
    let id = try await add(path)[0]
    let scope = ClaimScope.only(try await registerScope([id]))
    _ = try await claim(runner, scope: scope)
    return id
  }

  /// Ends the attempt of a held job.
  package func endAttempt(
    _ id: JobID, _ runner: UUID, as state: JobState, failure: Failure? = Failure(.network, "http://h", "gone"),
    pending: PendingCommandRule = .drop
  ) async throws -> Bool {
    try await endAttempt(
      id, runner: runner, JobStop(state, failure), now: 3,
      attempt: AttemptRecord(startedAt: 2, endedAt: 3, outcome: state.rawValue),
      pending: pending
    )
  }

  package func state(of id: JobID) async throws -> JobState? { try await states(of: [id])[id] }

  /// Creates a job and brings it into `state` by legal steps.
  package func makeJob(_ path: String, in state: JobState, output: String? = nil, runner: UUID = UUID()) async throws
    -> JobID
  {
    let id = try await add([try specification("http://h/\(path)", output: output)], now: 1)[0].id
    let scope = ClaimScope.only(try await registerScope([id]))
    switch state {
    case .queued:
      break
    case .active:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
    case .complete:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try await finish([.sample(id)], runner: runner, now: 3)
    case .failed, .interrupted, .paused:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try await checkpoint([(id, Checkpoint(segments: SegmentSet(0..<10), size: 20))], runner: runner)
      _ = try await endAttempt(
        id, runner: runner,
        JobStop(
          state, Failure(.network, "http://h/\(path)", "gone"), retry: RetryRecord(used: 2, furthest: 10)), now: 3,
        attempt: AttemptRecord(startedAt: 2, endedAt: 3, outcome: state.rawValue))
    }
    return id
  }

  // MARK: Calls with default parameters

  package func requeueInterrupted(scope: ClaimScope, now: Double) async throws(Failure) -> [JobID] {
    try await requeueInterrupted(scope: scope, .all, now: now)
  }

  package func requeueAbandoned(scope: ClaimScope) async throws(Failure) -> [JobID] {
    try await requeueAbandoned(scope: scope, .all)
  }

  package func add(
    _ specifications: [JobSpecification], now: Double, seen: Set<JobID>? = nil
  ) async throws(Failure) -> [AddedJob] {
    try await add(specifications, marks: [], now: now, seen: seen)
  }

  /// Adds one job for each path below `http://h/`.
  package func add(paths: String..., now: Double = 1) async throws -> [JobID] {
    try await add(try paths.map { try specification("http://h/\($0)") }, now: now).map(\.id)
  }

  package func claim(runner: UUID, limit: Int, scope: ClaimScope, now: Double) async throws(Failure) -> [Job] {
    try await claim(runner: runner, limit: limit, scope: scope, jobsPerOrigin: .unlimited, now: now)
  }

  package func claim(
    runner: UUID, limit: Int, scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates = .open, now: Double
  ) async throws(Failure) -> [Job] {
    try await claim(
      ClaimQuery(scope: scope, jobsPerOrigin: jobsPerOrigin, queues: queues, now: now, zone: .utc), limit: limit,
      runner: runner)
  }

  package func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin = .unlimited, now: Double
  ) async throws(Failure) -> Double? {
    try await nextDue(scope: scope, jobsPerOrigin: jobsPerOrigin, runner: UUID(), now: now)
  }

  package func nextDue(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates = .open, runner: UUID, now: Double,
    zone: LocalZone = .utc
  ) async throws(Failure) -> Double? {
    try await nextDue(
      ClaimQuery(scope: scope, jobsPerOrigin: jobsPerOrigin, queues: queues, now: now, zone: zone), runner: runner)
  }

  package func mayGoOn(scope: ClaimScope, now: Double) async throws(Failure) -> Bool {
    try await mayGoOn(scope: scope, queues: .open, now: now)
  }

  package func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], since: [JobID: UInt32] = [:], runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    try await checkpoint(batch, since: since, expecting: [], runner: runner)
  }

  package func checkpoint(
    _ batch: [(id: JobID, checkpoint: Checkpoint)], expecting bad: [BlockSums.Extent], runner: UUID
  ) async throws(Failure) -> Set<JobID> {
    try await checkpoint(batch, since: [:], expecting: bad, runner: runner)
  }

  package func recordDigestRetry(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await recordDigestRetry(id, .whole, runner: runner)
  }

  package func removeOwned(_ id: JobID, runner: UUID) async throws(Failure) -> Bool {
    try await removeOwned(id, runner: runner, isMet: false)
  }

  package func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule = .drop
  ) async throws(Failure) -> Bool {
    try await requeue(
      id, runner: runner, JobRequeue(notBefore: notBefore, retry: retry, failure: failure), now: now, attempt: attempt,
      pending: pending)
  }

  package func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord? = nil
  ) async throws(Failure) -> Bool {
    try await endAttempt(id, runner: runner, stop, now: now, attempt: attempt, pending: .drop)
  }

  package func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished] = [], runner: UUID, now: Double
  ) async throws(Failure) -> [PublishPermit] {
    try await beginPublishing(batch, after: finished, runner: runner, now: now, isDurable: true).permits
  }

  package func beginPublishing(
    _ batch: [PublishIntent], runner: UUID, now: Double, isDurable: Bool
  ) async throws(Failure) -> [PublishPermit] {
    try await beginPublishing(batch, after: [], runner: runner, now: now, isDurable: isDurable).permits
  }

  package func applyCommands(ofDeadRunners runners: Set<UUID>) async throws(Failure) -> [RecoveredJob] {
    try await applyCommands(ofDeadRunners: runners, removing: [])
  }

  package func counts() async throws(Failure) -> [JobState: Int] { try await counts(ids: nil) }

  package func retry(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await retry(ids, with: [:])
  }

  package func forgetFinished() async throws(Failure) -> Int { try await forgetFinished(before: nil) }

  package func setURL(_ id: JobID, _ url: RequestURL) async throws -> ControlResult {
    try await setURL(id, url, keepingCredentials: false) { $0 }
  }
}
