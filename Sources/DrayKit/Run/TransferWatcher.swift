// Passes the reports of a transfer on from the loop's thread.

internal import DrayEngine

/// Observes one job's transfer.
struct TransferWatcher: TransferObserver {
  let id: JobID
  let emit: @Sendable (JobEvent.Kind) -> Void
  let redirected: @Sendable (RedirectStep) -> Void
  let answered: @Sendable (ResponseRecord, Int64?) -> Void
  let checkpointer: Checkpointer
  /// Whether bytes of the job may be from seeds.
  var hasSeeds = false
  var journal: JournalPlace?

  func transferFollows(_ redirect: RedirectStep) {
    emit(.redirected(status: redirect.status, from: redirect.from, to: redirect.to))
    redirected(redirect)
  }

  func transferReceives(_ response: ResponseRecord, from position: Int64, size: Int64?) {
    emit(.response(response, from: position, size: size))
    answered(response, size)
  }

  func transferDrops(mirror: RequestURL, because reason: String) {
    emit(.mirrorDropped(mirror, reason: reason))
  }

  func transferChanges(interface: String, problem: String?) { emit(.interfaceChanged(interface, problem: problem)) }

  func transferLimitsConnections(until time: Double) { emit(.connectionsLimited(until: time)) }

  func transferRestarts(_ reason: StartOver) { emit(.restarted(reason)) }

  func transferStartsOver(_ reason: StartOver) async throws(Failure) {
    try await checkpointer.forget(id, hasSeeds: hasSeeds, note: JobNote.startedOver(reason))
  }

  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {
    try await checkpointer.giveUp(id, to: checkpoint, in: part)
  }
}
