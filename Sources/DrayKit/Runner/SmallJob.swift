// A job in the batch of small files, from the moment at which it gets a slot until it is published. The job has no
// attempt unless something unusual happens.

internal import DrayEngine
internal import DrayStore

/// The actions of a run for its small files; called on the loop's thread.
protocol SmallJobRun: AnyObject, Sendable {
  /// Hands a complete file to the publisher. From then on, the job's slot is free.
  /// - Returns: `false` if an attempt has taken over the job, or if the run is ending.
  func complete(_ small: SmallJob, with file: SmallFile) -> Bool

  /// Makes an attempt for a job to which something unusual happened.
  func leaveBatch(_ small: SmallJob)

  func watcher(_ job: Job) -> TransferWatcher
}

/// A small file that is transferred, or that waits for its publish.
final class SmallJob: SmallTransferOwner {
  let reserved: ReservedJob
  let transfer: Transfer
  /// The start, by a monotonic clock.
  let begunAt: Double
  /// The start, in seconds since 1970.
  let startedAt: Double
  private let run: any SmallJobRun

  var id: JobID { reserved.box.job.id }

  init(_ reserved: ReservedJob, _ transfer: Transfer, in run: any SmallJobRun, at now: Double, time: Double) {
    (self.reserved, self.transfer, self.run) = (reserved, transfer, run)
    (begunAt, startedAt) = (now, time)
  }

  // MARK: The usual end

  func transferEnded(with file: SmallFile) -> Bool {
    run.complete(self, with: file)
  }

  // MARK: Leaving the batch

  func transferLeavesBatch() { run.leaveBatch(self) }

  var journal: JournalPlace? { watcher.journal }

  private var watcher: TransferWatcher { run.watcher(reserved.job) }

  func transferFollows(_ redirect: RedirectStep) { watcher.transferFollows(redirect) }

  func transferReceives(_ response: ResponseRecord, from position: Int64, size: Int64?) {
    watcher.transferReceives(response, from: position, size: size)
  }

  func transferDrops(mirror: RequestURL, because reason: String) {
    watcher.transferDrops(mirror: mirror, because: reason)
  }

  func transferRestarts(_ reason: StartOver) { watcher.transferRestarts(reason) }

  func transferStartsOver(_ reason: StartOver) async throws(Failure) {
    try await watcher.transferStartsOver(reason)
  }

  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {
    try await watcher.transferTakesBack(checkpoint, in: part)
  }
}

/// A job of the batch.
struct SmallEntry {
  let job: SmallJob
  /// Whether the file is complete, so that only its publish can end the job.
  var isPublishing = false

  /// The present step of the job. An answer is reported with its last byte, so that no step is visible between
  /// connecting and publishing.
  var phase: JobPhase { isPublishing ? .publishing : .connecting }

  private var received: Int64 { isPublishing ? job.transfer.received : 0 }

  private var size: Int64? { isPublishing ? job.transfer.size : nil }

  var snapshot: ActiveJob {
    let box = job.reserved.box
    var active = ActiveJob(
      id: box.job.id, name: TargetName.shown(box.job), phase: phase, received: received, size: size)
    active.host = box.job.specification.request.url.origin.host
    return active
  }

  /// The progress that other processes see.
  var progress: ProgressEntry {
    ProgressEntry(
      job: job.id, received: received, size: size, rate: 0,
      phase: ProgressEntry.Phase(rawValue: phase.rawValue) ?? .receiving)
  }
}
