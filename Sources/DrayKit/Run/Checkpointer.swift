// Brings received bytes to the disk, and then records them: the two steps of P4, always in this order.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Posix
internal import Threads

/// Writes checkpoints step by step. To clear a checkpoint is a step as well, so afterwards no checkpoint of an older
/// version can be recorded (P2).
actor Checkpointer {
  private let executor = BlockingExecutor("dray.checkpoint")
  private let store: any JobStoring
  private let runner: UUID
  private var marks: [JobID: CheckpointMark] = [:]
  /// The jobs whose checksums were recorded in full, each with the mark at that time.
  private var recorded: [JobID: UInt32] = [:]

  /// Whether a step is running. Steps that wait run in the order in which they came.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(store: any JobStoring, runner: UUID) {
    self.store = store
    self.runner = runner
  }

  /// Runs a step after all earlier steps. A step waits for the store, and no other step must overtake it.
  private func inTurn<Value>(_ step: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    // The check is inside the continuation, because otherwise the previous step could finish in between, and nothing
    // would wake this one.
    await withCheckedContinuation { turn in
      if isBusy {
        waiting.append(turn)
      } else {
        isBusy = true
        turn.resume()
      }
    }
    defer {
      // The turn is passed on directly, so that no new step can overtake those that wait.
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    return try await step()
  }

  /// Syncs the new bytes of these transfers, and records them in one transaction.
  /// - Returns: The checkpoint that was recorded for each transfer.
  /// - Throws: Kind `store`. A part file that cannot be synced is skipped, and keeps its earlier record. It accepts no
  ///   more bytes (``PartFile``), so its transfer fails with the same error at the next write, or at the publish.
  @discardableResult
  func record(_ transfers: [(id: JobID, transfer: Transfer)]) async throws(Failure) -> [JobID: Checkpoint] {
    try await inTurn { () async throws(Failure) in try await recordNow(transfers) }
  }

  private func recordNow(
    _ transfers: [(id: JobID, transfer: Transfer)]
  ) async throws(Failure) -> [JobID: Checkpoint] {
    var batch: [(id: JobID, checkpoint: Checkpoint)] = []
    for (id, transfer) in transfers where transfer.checkpointMark != marks[id] {
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
      marks[id] = CheckpointMark(bytes: checkpoint.segments.count, digests: checkpoint.offered.count)
      if since[id] == nil { recorded[id] = checkpoint.sums.mark }
    }
    for (id, transfer) in transfers { if let checkpoint = result[id] { transfer.noteRecorded(checkpoint) } }
    return result
  }

  /// Reduces the recorded bytes of a job's part file. Once this returns, the change is on the disk.
  /// - Parameter bad: The damaged bytes, whose replacements must have the same checksums.
  /// - Throws: Kind `store`; kind `other` if the runner no longer owns the job.
  func reduce(
    _ id: JobID, to checkpoint: Checkpoint, without bad: [BlockSums.Extent] = []
  ) async throws(Failure) {
    try await inTurn { () async throws(Failure) in try await replaceNow(id, by: checkpoint, without: bad) }
  }

  /// Records bytes that a process wrote before it died, and that are on the disk now. Once this returns, the record is
  /// on the disk.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func extend(_ id: JobID, to checkpoint: Checkpoint) async throws(Failure) {
    try await inTurn { () async throws(Failure) in try await replaceNow(id, by: checkpoint) }
  }

  /// Records that a transfer gave up bytes, after the remaining ones were brought to the disk (P4). Once this returns,
  /// the record is on the disk.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func giveUp(_ id: JobID, to checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      var checkpoint = checkpoint
      let durable: SegmentSet
      do throws(Failure) { durable = try part.makeDurable(checkpoint.segments) } catch {
        // New bytes may be lost here, but not those that were recorded before.
        durable = checkpoint.segments.intersection(try await store.job(id)?.checkpoint.segments ?? SegmentSet())
      }
      checkpoint.sums = checkpoint.sums.restricted(to: durable)
      checkpoint.segments = durable
      checkpoint.upload = part.record(of: durable)
      try await replaceNow(id, by: checkpoint)
    }
  }

  private func replaceNow(
    _ id: JobID, by checkpoint: Checkpoint, without bad: [BlockSums.Extent] = []
  ) async throws(Failure) {
    drop(id)
    let held = try await store.checkpoint([(id, checkpoint)], since: [:], expecting: bad, runner: runner)
    guard !held.isEmpty else {
      throw Failure.leaseLost(id)
    }
  }

  /// Reduces the recorded bytes of a transfer to `segments`; without a transfer, those of `recorded`. Once this
  /// returns, the record is on the disk.
  /// - Returns: `false` if the bytes cannot be brought to the disk; in that case the record stays as it is.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func reduce(
    _ id: JobID, to segments: SegmentSet, of transfer: Transfer?, or recorded: Checkpoint
  ) async throws(Failure) -> Bool {
    try await inTurn { () async throws(Failure) in
      var checkpoint: Checkpoint
      do throws(Failure) { checkpoint = try transfer?.checkpoint() ?? recorded } catch { return false }
      let sums = if let transfer { transfer.sums } else { try await store.sums(of: id) }
      (checkpoint.segments, checkpoint.sums) = (segments, sums.restricted(to: segments))
      // Without this, the next beat would record all bytes again.
      transfer?.endCheckpoints()
      try await replaceNow(id, by: checkpoint)
      return true
    }
  }

  /// Records what became of another program's partial file, and the bytes that were taken over from it; `checkpoint` is
  /// `nil` if there are none.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func adopt(_ id: JobID, _ outcome: Adoption.Outcome, _ checkpoint: Checkpoint?) async throws(Failure) {
    try await take(id, checkpoint) { $0.adopts?.outcome = outcome }
  }

  /// Records what was found in the seeds of a job, and the bytes that were taken from them; `checkpoint` is `nil` if
  /// there are none.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func seed(_ id: JobID, _ outcome: Seeding.Outcome, _ checkpoint: Checkpoint?) async throws(Failure) {
    try await take(id, checkpoint) { $0.seeding?.outcome = outcome }
  }

  /// Records that the control file of a job's seeds contradicts the whole file, so that a retry fetches it without them.
  /// - Throws: The failures of ``reduce(_:to:without:)``.
  func refuteSeeds(_ id: JobID, _ refusal: SeedRefusal) async throws(Failure) {
    try await take(id, nil) { $0.refuteSeeds(refusal) }
  }

  private func take(
    _ id: JobID, _ checkpoint: Checkpoint?, _ change: @escaping @Sendable (inout JobOptions) -> Void
  ) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      drop(id)
      guard try await store.recordTaken(id, runner: runner, checkpoint, change) else { throw Failure.leaseLost(id) }
    }
  }

  /// Removes a job's checkpoint for good: `transfer` writes no new one. Once this returns, the change is on the disk.
  /// - Parameter hasSeeds: Whether bytes of the job may be from seeds.
  /// - Throws: Kind `store`; kind `other` if the runner no longer owns the job.
  func forget(
    _ id: JobID, of transfer: Transfer? = nil, hasSeeds: Bool, note: String?
  ) async throws(Failure) {
    try await inTurn { () async throws(Failure) in
      drop(id)
      transfer?.endCheckpoints()
      // First, because bytes whose seeds are forgotten are only compared once more.
      if hasSeeds {
        guard try await store.recordTaken(id, runner: runner, nil, { $0.seeding?.startOver() }) else {
          throw Failure.leaseLost(id)
        }
      }
      guard try await store.forgetCheckpoint(id, runner: runner, note: note) else { throw Failure.leaseLost(id) }
    }
  }

  func forgetCounts(of id: JobID) async { await forgetCounts(of: [id]) }

  /// Forgets the state of jobs that have ended.
  func forgetCounts(of ids: [JobID]) async {
    try? await inTurn { () async throws(Failure) in for id in ids { drop(id) } }
  }

  private func drop(_ id: JobID) {
    marks[id] = nil
    recorded[id] = nil
  }
}

extension Failure {
  /// The failure of a runner that no longer owns the job and must not touch its files.
  static func leaseLost(_ id: JobID) -> Failure {
    Failure(.other, "job \(id)", "another process took it over or removed it", recovery: .keep)
  }
}
