// Makes what was received durable, and records it: the two steps of P4, always in this order.

internal import DrayEngine
internal import Foundation

/// Writes checkpoints, one thing at a time: because forgetting goes through here too, no checkpoint of an older
/// version can be recorded after it was forgotten (P2).
actor Checkpointer {
  private let queue = BlockingQueue("dray.checkpoint")
  private let store: JobStore
  private let runner: UUID
  private var claimed: [JobID: Int64] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(store: JobStore, runner: UUID) {
    self.store = store
    self.runner = runner
  }

  /// Syncs and records what these transfers have that is not recorded yet, in one transaction.
  /// - Returns: what is recorded of each now.
  /// - Throws: kind `store`. A part file that cannot be synced is left out: its transfer meets the error itself.
  @discardableResult
  func record(_ transfers: [(id: JobID, transfer: Transfer)]) throws(Failure) -> [JobID: Checkpoint] {
    var batch: [(id: JobID, checkpoint: Checkpoint)] = []
    for (id, transfer) in transfers where transfer.received != claimed[id] {
      if let checkpoint = try? transfer.checkpoint() { batch.append((id, checkpoint)) }
    }
    guard !batch.isEmpty else { return [:] }
    let held = try store.checkpoint(batch, runner: runner)
    var recorded: [JobID: Checkpoint] = [:]
    for (id, checkpoint) in batch where held.contains(id) {
      recorded[id] = checkpoint
      claimed[id] = checkpoint.segments.count
    }
    return recorded
  }

  /// Takes back every claim on a job's part file, durably.
  /// - Throws: kind `store`; kind `other` where the runner no longer holds the job.
  func forget(_ id: JobID, note: String?) throws(Failure) {
    claimed[id] = nil
    guard try store.forgetCheckpoint(id, runner: runner, note: note) else { throw Failure.leaseLost(id) }
  }

  /// Forgets what was noted here of a job that has ended.
  func ended(_ id: JobID) { claimed[id] = nil }

  /// Forgets what was noted here of jobs that have ended.
  func ended(_ ids: [JobID]) { for id in ids { claimed[id] = nil } }
}

extension Failure {
  /// A job is no longer this runner's: nothing of it may be touched.
  static func leaseLost(_ id: JobID) -> Failure {
    Failure(.other, "job \(id)", "another process took it over or removed it", recovery: .keep)
  }
}
