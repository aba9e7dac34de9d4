// Makes what was received durable, and records it: the two steps of P4, always in this order.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Posix
internal import Threads

/// Writes checkpoints, one step at a time: because forgetting goes through here too, no checkpoint of an older
/// version can be recorded after it was forgotten (P2).
actor Checkpointer {
  private let queue = BlockingQueue("dray.checkpoint")
  private let store: any JobStoring
  private let runner: UUID
  private var claimed: [JobID: Int64] = [:]
  /// Of which jobs all that is known of their bytes was recorded, and the mark that it had then.
  private var recorded: [JobID: UInt32] = [:]

  /// Whether a step is being done; the steps that wait for their turn follow in the order of their coming.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(store: any JobStoring, runner: UUID) {
    self.store = store
    self.runner = runner
  }

  /// Does one step when those before it are done: where the store makes one wait, no other may overtake it.
  private func inTurn<Value>(_ step: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    // Looked at where it is waited: between a look before and the wait, the turn before may end, and would wake nobody.
    await withCheckedContinuation { turn in
      if isBusy {
        waiting.append(turn)
      } else {
        isBusy = true
        turn.resume()
      }
    }
    defer {
      // Who is next has the turn at once: one that comes meanwhile waits behind it.
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    return try await step()
  }

  /// Syncs and records what these transfers have that is not recorded yet, in one transaction.
  /// - Returns: what is recorded of each now.
  /// - Throws: kind `store`. A part file that cannot be synced is left out: what was recorded before stays, and the file takes
  ///   no more bytes (``PartFile``), so that its transfer fails with the same error at its next write, or when it is published.
  @discardableResult
  func record(_ transfers: [(id: JobID, transfer: Transfer)]) async throws(Failure) -> [JobID: Checkpoint] {
    try await inTurn { () async throws(Failure) in try await recordNow(transfers) }
  }

  private func recordNow(
    _ transfers: [(id: JobID, transfer: Transfer)]
  ) async throws(Failure) -> [JobID: Checkpoint] {
    var batch: [(id: JobID, checkpoint: Checkpoint)] = []
    for (id, transfer) in transfers where transfer.received != claimed[id] {
      if let checkpoint = try? transfer.checkpoint() { batch.append((id, checkpoint)) }
    }
    guard !batch.isEmpty else { return [:] }
    var since: [JobID: UInt32] = [:]
    for (id, checkpoint) in batch {
      if let mark = recorded[id], !checkpoint.sums.isToBeRecordedInFull(since: mark) { since[id] = mark }
    }
    let held = try await store.checkpoint(batch, since: since, expecting: [], runner: runner)
    var result: [JobID: Checkpoint] = [:]
    for (id, checkpoint) in batch where held.contains(id) {
      result[id] = checkpoint
      claimed[id] = checkpoint.segments.count
      if since[id] == nil { recorded[id] = checkpoint.sums.mark }
    }
    return result
  }

  /// Records that less of a job's part file may be continued from than was claimed, durably.
  /// - Parameter bad: what was found to be bad: the bytes that come in its place must be those that were there.
  /// - Throws: kind `store`; kind `other` where the runner no longer holds the job.
  func reduce(
    _ id: JobID, to checkpoint: Checkpoint, without bad: [BlockSums.Extent] = []
  ) async throws(Failure) {
    try await inTurn { () async throws(Failure) in try await reduceNow(id, to: checkpoint, without: bad) }
  }

  /// Records that a transfer gave bytes up, durably. What is left of them is made durable before it is claimed (P4).
  /// - Throws: as ``reduce(_:to:without:)``.
  func giveUp(_ id: JobID, to checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      var checkpoint = checkpoint
      let durable: SegmentSet
      do throws(Failure) { durable = try part.makeDurable(checkpoint.segments) } catch {
        // The bytes may be lost, but not those that were recorded before.
        durable = checkpoint.segments.intersection(try await store.job(id)?.checkpoint.segments ?? SegmentSet())
      }
      checkpoint.sums = checkpoint.sums.restricted(to: durable)
      checkpoint.segments = durable
      try await reduceNow(id, to: checkpoint)
    }
  }

  private func reduceNow(
    _ id: JobID, to checkpoint: Checkpoint, without bad: [BlockSums.Extent] = []
  ) async throws(Failure) {
    drop(id)
    let held = try await store.checkpoint([(id, checkpoint)], since: [:], expecting: bad, runner: runner)
    guard !held.isEmpty else {
      throw Failure.leaseLost(id)
    }
  }

  /// Records that of what a transfer has only these bytes may be continued from, durably. Without a transfer it is of what is
  /// `recorded`.
  /// - Returns: `false` if they cannot be made durable: nothing is changed then.
  /// - Throws: as ``reduce(_:to:)``.
  func reduce(
    _ id: JobID, to segments: SegmentSet, of transfer: Transfer?, or recorded: Checkpoint
  ) async throws(Failure) -> Bool {
    try await inTurn { () async throws(Failure) in
      var checkpoint: Checkpoint
      do throws(Failure) { checkpoint = try transfer?.checkpoint() ?? recorded } catch { return false }
      let sums = if let transfer { transfer.sums } else { try await store.sums(of: id) }
      (checkpoint.segments, checkpoint.sums) = (segments, sums.restricted(to: segments))
      // The next beat would claim all of it again.
      transfer?.forgetClaims()
      try await reduceNow(id, to: checkpoint)
      return true
    }
  }

  /// Records what became of a partial file of another program, and of the bytes that were taken over; `checkpoint` is `nil` if
  /// none were.
  /// - Throws: as ``reduce(_:to:)``.
  func adopt(_ id: JobID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      drop(id)
      guard try await store.recordAdoption(id, runner: runner, outcome, checkpoint) else { throw Failure.leaseLost(id) }
    }
  }

  /// Withdraws every claim on a job's part file, durably and permanently: `transfer`, which fetched it, makes none any more.
  /// - Throws: kind `store`; kind `other` where the runner no longer holds the job.
  func forget(_ id: JobID, of transfer: Transfer? = nil, note: String?) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      drop(id)
      transfer?.forgetClaims()
      guard try await store.forgetCheckpoint(id, runner: runner, note: note) else { throw Failure.leaseLost(id) }
    }
  }

  /// Forgets what is remembered here of a job that has ended.
  func forgetCounts(of id: JobID) async { await forgetCounts(of: [id]) }

  /// Forgets what is remembered here of jobs that have ended.
  func forgetCounts(of ids: [JobID]) async {
    try? await inTurn { () async throws(Failure) in for id in ids { drop(id) } }
  }

  private func drop(_ id: JobID) {
    claimed[id] = nil
    recorded[id] = nil
  }
}

extension Failure {
  /// A job is no longer this runner's: nothing of it may be touched.
  static func leaseLost(_ id: JobID) -> Failure {
    Failure(.other, "job \(id)", "another process took it over or removed it", recovery: .keep)
  }
}
