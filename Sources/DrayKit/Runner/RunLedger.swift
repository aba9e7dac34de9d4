// The result of a run so far, and who is notified: the events and the hooks.

internal import DrayEngine
internal import DrayStore
internal import Glibc
internal import Threads

/// The result of a run so far.
@RunActor
final class RunLedger {
  private nonisolated let outbox: EventOutbox
  private let hooks: HookRunner
  private let choice: RunHooks
  private let scope: RegisteredScope
  private(set) var summary = RunSummary()
  /// Bytes of the files that were completed.
  private(set) var completeBytes: Int64 = 0
  /// Jobs that ended here; the others of a scope may have ended elsewhere.
  private var endedHere: Set<JobID> = []
  /// The last hook that was started: hooks start in the order in which jobs end.
  private var hookStart: Task<Void, Never>?

  nonisolated init(_ outbox: EventOutbox, _ hooks: HookRunner, _ choice: RunHooks, _ scope: RegisteredScope) {
    (self.outbox, self.hooks, self.choice, self.scope) = (outbox, hooks, choice, scope)
  }

  /// Reports something that happened to a job.
  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) {
    outbox.send(JobEvent(id: id, time: WallClock.now(), kind: kind))
  }

  /// Counts the end of a job, reports it, and has its hook run.
  /// - Parameter bytes: the length of its file, where it was completed.
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
      // In the queue that was what its user wanted; a job that was named here is not done.
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

  /// Whether the end of a job concerns this run, and was not closed here yet.
  func isOpen(_ id: JobID) -> Bool { scope.contains(id) && !endedHere.contains(id) }

  /// Jobs that were named and ended elsewhere count by how they ended, and are reported so: what is not complete is not done.
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
