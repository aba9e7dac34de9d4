// The entry point: the job store, runners, probes of URLs, single downloads.

internal import DrayEngine
internal import Foundation
internal import Synchronization

/// Downloads that survive: a queue in a job store, and runners that transfer it.
///
/// Any number of managers, in any number of processes, may be open on one state directory. Methods that take no
/// `await` block for the time of a database access.
public final class DownloadManager: Sendable {
  /// The job store: what is queued, what happened.
  public let store: JobStore
  /// The state directory.
  public let home: StateDirectory
  /// What requests to some hosts carry.
  public let hosts: HostRules
  /// The job store under its contract.
  let jobs: any JobStoring
  /// The thread on which it is used.
  let worker = BlockingQueue("dray.store")
  private let engineBox = Mutex<EngineHold?>(nil)

  private init(store: JobStore, _ configuration: Configuration) {
    self.store = store
    jobs = store.nonblocking(on: worker.queue)
    (home, hosts) = (configuration.home, configuration.hosts)
  }

  deinit {
    // What was learnt by fetches that are not of a run.
    DownloadManager.flushSecurity()
    DownloadManager.flushConnectionMemory()
  }

  /// Opens the state directory, after making it if it is not there.
  /// - Throws: kind `store` when the job store cannot be used; its file is untouched then.
  public static func open(_ configuration: Configuration) throws(Failure) -> DownloadManager {
    try configuration.home.create()
    return DownloadManager(
      store: try JobStore.open(configuration.home, busyTimeout: configuration.busyTimeout), configuration)
  }

  /// Opens the program's own queue.
  public static func open() throws(Failure) -> DownloadManager { try open(Configuration()) }

  /// Opens the state directory if there is a job store in it; makes nothing.
  public static func openIfPresent(_ configuration: Configuration) throws(Failure) -> DownloadManager? {
    guard let store = try JobStore.openIfPresent(configuration.home, busyTimeout: configuration.busyTimeout) else {
      return nil
    }
    return DownloadManager(store: store, configuration)
  }

  /// The engine, started when it is first needed.
  func engine() throws(Failure) -> EngineHold {
    let made: Result<EngineHold, Failure> = engineBox.withLock { engine in
      if let engine { return .success(engine) }
      do throws(Failure) {
        let started = try Engine(
          security: DownloadManager.security(of: store), hosts: hosts,
          connections: DownloadManager.connectionMemory(of: store), limit: Descriptors.budget.connections)
        let new = EngineHold(started) {
          DownloadManager.flushSecurity()
          DownloadManager.flushConnectionMemory()
        }
        engine = new
        return .success(new)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }

  /// Queues jobs; returns when they are durable (P3).
  public func add(_ specifications: some Sequence<JobSpecification>) throws(Failure) -> [AddedJob] {
    let all = Array(specifications)
    return try addAll(all, haveBodies: all.contains { $0.request.body != nil })
  }

  /// The same for those of an admission; where they have bodies, each gets a file of its own first.
  /// - Parameter seen: the complete jobs that it has checked.
  func addAll(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark> = [], haveBodies: Bool,
    seen: Set<JobID>? = nil
  ) throws(Failure) -> [AddedJob] {
    let now = WallClock.now()
    guard haveBodies else { return try store.add(specifications, marks: marks, now: now, seen: seen) }
    let own = try BodyFiles.own(Array(specifications), in: home)
    do throws(Failure) {
      return try store.add(own, marks: marks, now: now, seen: seen)
    } catch {
      BodyFiles.discard(own)
      throw error
    }
  }

  /// Releases the jobs of dead runners: they become `interrupted`.
  public func refresh() throws(Failure) {
    try worker.wait { [jobs, home] () async throws(Failure) in try await Recovery.reap(jobs, home) }
  }

  /// How far the active jobs of all runners are.
  public func progress() throws(Failure) -> [JobID: ProgressEntry] {
    var all: [JobID: ProgressEntry] = [:]
    for runner in try store.activeRunners() {
      for entry in RunnerBoard.read(runner, in: home) ?? [] { all[entry.job] = entry }
    }
    return all
  }

  /// Makes a runner for jobs of this store.
  /// - Throws: kind `store` when its lease cannot be taken.
  public func makeRunner(_ scope: RunScope = .all, _ options: RunOptions = RunOptions()) throws(Failure) -> Runner {
    try Runner(
      try engine(), store, jobs, worker, home, try RunnerLease.acquire(in: home), scope, options)
  }
}
