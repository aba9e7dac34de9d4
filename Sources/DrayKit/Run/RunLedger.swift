// Keeps the results of a run, and reports them: as events, and by hooks.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
final class RunLedger {
  private nonisolated let outbox: EventOutbox
  private let hooks: HookRunner
  private let choice: RunHooks
  private let scope: RegisteredScope
  private var tally = RunTally()
  nonisolated let meter = RunMeter()
  var summary: RunSummary { tally.summary }
  private(set) var completeBytes: Int64 = 0
  /// When the last hook was started; hooks start in the order in which their jobs end.
  private var hookStart: Task<Void, Never>?

  nonisolated init(_ outbox: EventOutbox, _ hooks: HookRunner, _ choice: RunHooks, _ scope: RegisteredScope) {
    (self.outbox, self.hooks, self.choice, self.scope) = (outbox, hooks, choice, scope)
  }

  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) {
    outbox.send(JobEvent(id: id, time: WallClock.now(), kind: kind))
  }

  /// Counts the end of a job, reports it, and starts its hook. If a later attempt at the job has already ended, this
  /// does nothing.
  /// - Parameter bytes: The length of the job's file, if it is complete.
  func close(_ job: Job, _ kind: JobEvent.Kind, bytes: Int64 = 0) {
    guard count(job, kind) else { return }
    completeBytes += bytes
    meter.ended(job, kind, size: bytes)
    emit(job.id, kind)
    if let words = HookChoice.command(for: kind, of: job, choice) {
      hookStart = Task { [hooks, before = hookStart] in
        await before?.value
        await hooks.run(words, for: job)
      }
    }
  }

  /// - Returns: Whether this is the job's last end, or no outcome at all.
  private func count(_ job: Job, _ kind: JobEvent.Kind) -> Bool {
    switch kind {
    case .complete, .completeWithoutFile, .upToDate: tally.close(job.id, attempt: job.attempts, .complete)
    case .failed(let failure): tally.close(job.id, attempt: job.attempts, .failed, failure.exitStatus)
    case .interrupted(let failure): tally.close(job.id, attempt: job.attempts, .interrupted, failure?.exitStatus)
    // In a run of the whole queue, such an end is what the user wants; in a run of named jobs, the job counts as not
    // done.
    case .paused: tally.close(job.id, attempt: job.attempts, .paused, scope.isNamed ? .other : nil)
    case .removed: tally.close(job.id, attempt: job.attempts, .removed, scope.isNamed ? .other : nil)
    case .skipped: tally.close(job.id, attempt: job.attempts, .skipped)
    default: true
    }
  }

  func isOpen(_ id: JobID) -> Bool { scope.contains(id) && !tally.hasEnded(id) }

  /// Counts and reports named jobs that another runner has ended. Those that are not complete count as not done.
  func closeOthers(in tools: RunTools) async {
    guard let others = scope.ids?.subtracting(tally.ended), !others.isEmpty else { return }
    let jobs = (try? await tools.store.jobs(ids: Array(others))) ?? []
    for job in jobs where job.state == .complete {
      tally.addComplete()
      emit(
        job.id,
        job.target.map {
          .complete(path: $0, size: job.published?.size ?? job.checkpoint.size ?? 0, digest: job.knownDigest, note: nil)
        } ?? .completeWithoutFile(note: job.note ?? "the answer has no body"))
    }
    for job in jobs where job.state != .complete {
      tally.add(job.failure?.exitStatus ?? .other)
      switch job.state {
      case .failed: job.failure.map { emit(job.id, .failed($0)) }
      case .paused: emit(job.id, .paused)
      default: emit(job.id, .interrupted(job.failure))
      }
    }
    if jobs.count < others.count { tally.add(.other) }
  }

  func finishHooks(_ signal: RunSignal) async {
    await hookStart?.value
    await hooks.finish { signal.isStopping }
  }

  func finish() { outbox.finish() }
}
