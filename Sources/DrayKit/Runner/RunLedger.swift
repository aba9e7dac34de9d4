// The results of a run, and their delivery: events and hooks.

internal import DrayEngine
internal import DrayStore
internal import Glibc
internal import Threads

/// The results of a run so far.
@RunActor
final class RunLedger {
  private nonisolated let outbox: EventOutbox
  private let hooks: HookRunner
  private let choice: RunHooks
  private let scope: RegisteredScope
  private(set) var summary = RunSummary()
  /// Bytes of completed files.
  private(set) var completeBytes: Int64 = 0
  /// Jobs that ended in this run; others of the scope may have ended elsewhere.
  private var endedHere: Set<JobID> = []
  /// The last hook that was started. Hooks start in the order in which jobs end.
  private var hookStart: Task<Void, Never>?

  nonisolated init(_ outbox: EventOutbox, _ hooks: HookRunner, _ choice: RunHooks, _ scope: RegisteredScope) {
    (self.outbox, self.hooks, self.choice, self.scope) = (outbox, hooks, choice, scope)
  }

  /// Reports an event of a job.
  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) {
    outbox.send(JobEvent(id: id, time: WallClock.now(), kind: kind))
  }

  /// Counts the end of a job, reports it, and starts its hook.
  /// - Parameter bytes: the length of its file, if it was completed.
  func close(_ job: Job, _ kind: JobEvent.Kind, bytes: Int64 = 0) {
    endedHere.insert(job.id)
    completeBytes += bytes
    switch kind {
    case .complete, .completeWithoutFile, .upToDate:
      summary.complete += 1
    case .failed(let failure):
      summary.failed += 1
      summary.statuses.insert(failure.exitStatus)
    case .interrupted(let failure):
      summary.interrupted += 1
      if let failure { summary.statuses.insert(failure.exitStatus) }
    case .paused, .removed:
      summary.interrupted += 1
      if kind == .paused { summary.paused += 1 } else { summary.removed += 1 }
      // In a run of the whole queue, the user wanted this. In a run of named jobs, the job counts as not done.
      if scope.isNamed { summary.statuses.insert(.other) }
    default: break
    }
    emit(job.id, kind)
    if let words = HookChoice.command(for: kind, of: job, choice) {
      hookStart = Task { [hooks, before = hookStart] in
        await before?.value
        await hooks.run(words, for: job)
      }
    }
  }

  /// Returns whether the job belongs to this run and has not ended in it.
  func isOpen(_ id: JobID) -> Bool { scope.contains(id) && !endedHere.contains(id) }

  /// Counts and reports named jobs that ended elsewhere. Those that are not complete count as not done.
  func closeOthers(in tools: RunTools) async {
    guard let others = scope.ids?.subtracting(endedHere), !others.isEmpty else { return }
    let jobs = (try? await tools.store.jobs(ids: Array(others))) ?? []
    for job in jobs where job.state == .complete {
      summary.complete += 1
      emit(
        job.id,
        job.target.map {
          .complete(path: $0, size: job.published?.size ?? job.checkpoint.size ?? 0, digest: job.knownDigest, note: nil)
        } ?? .completeWithoutFile(note: job.note ?? "the answer has no body"))
    }
    for job in jobs where job.state != .complete {
      summary.statuses.insert(job.failure?.exitStatus ?? .other)
      switch job.state {
      case .failed: job.failure.map { emit(job.id, .failed($0)) }
      case .paused: emit(job.id, .paused)
      default: emit(job.id, .interrupted(job.failure))
      }
    }
    if jobs.count < others.count { summary.statuses.insert(.other) }
  }

  /// Waits for the hooks.
  func finishHooks(_ signal: RunSignal) async {
    await hookStart?.value
    await hooks.finish { signal.isStopping }
  }

  /// Ends the events.
  func finish() { outbox.finish() }
}
