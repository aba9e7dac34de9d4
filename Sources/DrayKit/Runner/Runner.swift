// The runner: takes jobs from the queue, keeps its slots filled, ends when nothing is left.

internal import DrayEngine
public import Foundation
internal import Synchronization

/// A process's hold on jobs while it transfers them. One runner runs once.
public actor Runner {
  /// The name that its jobs and its lease carry.
  public nonisolated let id: UUID
  /// What happens to its jobs; for one consumer. Ends with the run.
  public nonisolated let events: JobEvents

  nonisolated let outbox: EventOutbox
  nonisolated let store: any JobStoring
  nonisolated let engine: Engine
  nonisolated let home: StateDirectory
  nonisolated let lease: RunnerLease
  nonisolated let worker: BlockingQueue
  nonisolated let disk = BlockingQueue("dray.disk")
  nonisolated let hasher = BlockingQueue("dray.hash")
  nonisolated let checkpointer: Checkpointer
  nonisolated let publisher: Publisher
  nonisolated let hooks: HookRunner
  nonisolated let cookies: CookieKeeper
  nonisolated let directories: DirectoryCache
  nonisolated let slots: Slots
  nonisolated let news = NewsBell()
  nonisolated let isStopping = Atomic<Bool>(false)
  let options: RunOptions
  let scope: ClaimScope
  let scopeIDs: Set<JobID>?
  let overallLimit: RateLimiter

  /// Jobs that hold a slot.
  var running: [JobID: RunningJob] = [:]
  /// How many were to be claimed ahead, last time.
  var ahead = 0
  var lookahead = Lookahead()
  /// How jobs ended of which it is unknown here yet that they began.
  var early: [JobID: (TransferOutcome, isHandedOn: Bool)] = [:]
  /// Jobs that were claimed again before their last attempt had left: what it gave up another claim may take at once. They
  /// begin when it has; with the command that came for them meanwhile.
  var reclaimed: [JobID: (job: ReservedJob, command: JobCommand?)] = [:]
  /// Whether a command is pending for a job that is not here yet.
  var mustPollCommands = false
  /// Jobs whose bytes are all here and which are being published: they hold none.
  var publishing: [JobID: RunningJob] = [:]
  var summary = RunSummary()
  var completeBytes: Int64 = 0
  /// Jobs that ended here; the others of a scope may have ended elsewhere.
  var endedHere: Set<JobID> = []
  /// Whether what the transfers have is being made durable.
  var isCheckpointing = false
  var fatal: Failure?
  /// Whether the queue may have a job that is due; cleared by a claim that came back short.
  var mayClaim = true
  /// Whose turn it is, for jobs with mirrors.
  var mirrors: [JobID: MirrorChoice] = [:]
  /// Jobs of its scope that wait, and that another runner has, at the last count.
  var waiting = (queued: 0, elsewhere: 0)
  var begun = 0
  /// The last hook that was handed over: they are, in the order in which jobs end.
  var hookStart: Task<Void, Never>?
  /// Keeps the engine from being stopped before the run has ended.
  private var hold: EngineHold?
  var timer: Task<Void, Never>?
  private let bell: (stream: AsyncStream<Void>, ring: AsyncStream<Void>.Continuation)
  /// Rung when the store has changed or a job begins: an idle run has its next beat then.
  nonisolated let pulse = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Rung when a job begins and when the number of those that wait has changed.
  nonisolated let activity = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// What other processes see of its jobs.
  var shownBoard: RunnerBoard?

  init(
    _ hold: EngineHold, _ blocking: JobStore, _ jobs: any JobStoring, _ worker: BlockingQueue, _ home: StateDirectory,
    lease: RunnerLease, scope: RunScope, options: RunOptions
  ) throws(Failure) {
    (store, self.worker, self.home) = (jobs, worker, home)
    (self.hold, engine, self.lease, self.options) = (hold, hold.engine, lease, options)
    id = lease.runner
    switch scope {
    case .all:
      (self.scope, scopeIDs) = (.all, nil)
    case .jobs(let ids):
      (self.scope, scopeIDs) = (.only(try blocking.registerScope(ids)), Set(ids))
    }
    let rule = Runner.rule(try blocking.setting(.rateLimit), options)
    overallLimit = RateLimiter(bytesPerSecond: rule.rate(at: WallClock.now(), zone: options.zone))
    let budget = Descriptors.budget
    slots = Slots(limit: options.maxConcurrent, jobsPerOrigin: options.maxJobsPerOrigin, budget)
    directories = DirectoryCache(limit: budget.directories)
    checkpointer = Checkpointer(store: store, runner: lease.runner)
    cookies = CookieKeeper(home: home, store: jobs)
    publisher = Publisher(store: store, runner: lease.runner, syncs: options.syncs)
    let (told, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    (events, outbox) = (JobEvents(batches: told), EventOutbox(sink))
    let (stream, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    bell = (stream, ring)
    hooks = HookRunner(
      options.hooks, home: home,
      lookUp: { [store] job in
        (try? await store.job(job.id)).flatMap(\.self) ?? job
      },
      report: { [outbox] id, report in outbox.send(JobEvent(id: id, time: WallClock.now(), kind: .hook(report))) })
  }

  /// Transfers the jobs of its scope; returns when none is left, or after ``stop()``, which is what cancelling the task
  /// does.
  /// - Throws: kind `store` when the job store cannot be used any more; what was received is kept then too.
  public func run() async throws(Failure) -> RunSummary {
    // In a task of its own: in one that is cancelled, waiting for the transfers would end before they do (P9).
    let task = Task { () async -> Result<RunSummary, Failure> in
      do throws(Failure) { return .success(try await runToEnd()) } catch { return .failure(error) }
    }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop()
    }.get()
  }

  private func runToEnd() async throws(Failure) -> RunSummary {
    news.open { [self] in Task { await self.handleNews() } }
    slots.open(outside)
    let heartbeat = Task { await beat() }
    defer {
      news.open(nil)
      slots.close()
      heartbeat.cancel()
      timer?.cancel()
      outbox.finish()
      activity.continuation.finish()
      hold = nil
    }
    do throws(Failure) {
      try await recover()
      try await work()
    } catch {
      fatal = fatal ?? error
      await drain()
    }
    if fatal == nil, !isStopping.load(ordering: .acquiring) { await accountForOthers() }
    // Before the hooks, which may take minutes: a run that takes no more jobs must not queue those of others.
    heartbeat.cancel()
    await heartbeat.value
    // What is still held here, after a failure, is set free for the next.
    _ = try? await store.release(id)
    lease.release()
    await hookStart?.value
    await hooks.finish { [self] in isStopping.load(ordering: .acquiring) }
    if let fatal { throw fatal }
    return summary
  }

  /// Ends the run cleanly: what was received is made durable, the jobs are interrupted. Returns at once; ``run()``
  /// returns when it is done.
  public nonisolated func stop() {
    isStopping.store(true, ordering: .releasing)
    bell.ring.yield()
  }

  /// How things stand.
  public func snapshot() -> RunnerSnapshot {
    absorb()
    let all = (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order }
    return RunnerSnapshot(
      active: all.map(\.snapshot), queued: waiting.queued + slots.waiting, elsewhere: waiting.elsewhere,
      complete: summary.complete, failed: summary.failed,
      interrupted: summary.interrupted - summary.paused - summary.removed, paused: summary.paused,
      completeBytes: completeBytes)
  }

  /// Returns when a job has begun, or what waits has changed, since the last call: a snapshot without active jobs stays as
  /// it is until then. For one caller at a time.
  /// - Returns: `false` once the run has ended.
  public nonisolated func nextActivity() async -> Bool {
    for await _ in activity.stream { return true }
    return false
  }

  /// Jobs that were named and ended elsewhere count by how they ended: what is not complete is not done.
  private func accountForOthers() async {
    guard let others = scopeIDs?.subtracting(endedHere), !others.isEmpty else { return }
    let jobs = (try? await store.jobs(ids: Array(others))) ?? []
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

  /// Wakes the loop.
  func ring() { bell.ring.yield() }

  nonisolated func emit(_ id: JobID, _ kind: JobEvent.Kind) {
    outbox.send(JobEvent(id: id, time: WallClock.now(), kind: kind))
  }

  var isIdle: Bool { running.isEmpty && publishing.isEmpty && slots.isIdle }

  private func work() async throws(Failure) {
    ring()
    for await _ in bell.stream {
      if let fatal { throw fatal }
      if isStopping.load(ordering: .acquiring) { return await drain() }
      try await fill()
      if let fatal { throw fatal }
      guard isIdle, !isStopping.load(ordering: .acquiring) else { continue }
      try await count()
      guard isIdle else { continue }
      // Named jobs are waited for, whichever process transfers them; in the queue only free jobs matter.
      if options.waitsForMore || (scopeIDs != nil && waiting.elsewhere > 0) { continue }
      guard waiting.queued > 0 else { return }
      if scopeIDs == nil, try await !mayGoOn() { return }
    }
  }

  /// Stops all transfers and waits for them; publishes that have begun are finished.
  private func drain() async {
    isStopping.store(true, ordering: .releasing)
    // A store that fails now fails the run anyhow, and what is claimed is set free at its end.
    slots.shut()
    try? await giveBack()
    ring()
    for await _ in bell.stream {
      absorb()
      for id in Array(running.keys) { cancel(id, fatal.map { .runFails($0) } ?? .end(.shutdown)) }
      if isIdle { return }
    }
  }

  /// Whether queued jobs will be due automatically, and do not wait for jobs that are not being transferred.
  private func mayGoOn() async throws(Failure) -> Bool {
    try await store.mayGoOn(scope: scope, now: WallClock.now())
  }

  /// Cancels an attempt for a reason; the first reason stands.
  func cancel(_ id: JobID, _ reason: CancelReason) {
    guard running[id]?.cancelled == nil else { return }
    running[id]?.cancelled = reason
    running[id]?.transfer?.cancel()
    running[id]?.search?.cancel()
  }

  /// The run cannot continue.
  func failRun(_ failure: Failure) {
    fatal = fatal ?? failure
    ring()
  }
}
