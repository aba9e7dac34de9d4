// The entry point: the job store, runners, probes of URLs, single downloads.

internal import DrayEngine
public import DrayStore
internal import Glibc
internal import Synchronization
internal import Threads

/// Downloads that survive: a queue in a job store, and runners that transfer it.
///
/// Any number of managers, in any number of processes, may be open on one state directory. No method blocks the thread of its
/// caller: what waits for a disk or for the database has threads of its own.
public final class DownloadManager: Sendable {
  /// The state directory.
  public let home: StateDirectory
  /// What requests to some hosts carry.
  public let hosts: HostRules
  /// What is queued, and what happened.
  public var jobs: any JobReading { store }
  /// The job store.
  let store: any JobStoring
  /// Where files are published.
  let destinations: any Destinations
  /// The thread on which runners use it.
  let worker: BlockingQueue
  /// The thread of what a manager does by itself, which may read whole files: the store's must not wait for that.
  let desk = BlockingQueue("dray.manager")
  private let engineBox = Mutex<EngineHold?>(nil)

  private init(_ store: any JobStoring, _ worker: BlockingQueue, _ configuration: Configuration) {
    (self.store, self.worker) = (store, worker)
    (home, hosts) = (configuration.home, configuration.hosts)
    destinations = configuration.destinations ?? LocalDestinations(store: home.path)
    OwnDoors.add(home.path) { [home] in ServiceFile.doors(in: home) }
  }

  /// Writes what was learnt and closes the store, whoever still holds this manager; nothing can be done with it any more.
  /// Blocks.
  package func close() {
    DownloadManager.waitForMemory()
    // It loses nothing where it cannot be closed: its log is read by the next.
    try? store.close()
  }

  /// Opens the state directory, after making it if it is not there.
  /// - Throws: kind `store` when the job store cannot be used; its file is untouched then.
  public static func open(_ configuration: Configuration) async throws(Failure) -> DownloadManager {
    try await BlockingQueue("dray.open").run { () throws(Failure) in try openBlocking(configuration) }
  }

  /// The same for a thread that may block.
  package static func openBlocking(_ configuration: Configuration) throws(Failure) -> DownloadManager {
    try configuration.home.create()
    if let manager = try openBlocking(configuration, .make) { return manager }
    throw Failure(.store, configuration.store.path, "there is no job store")
  }

  /// Opens the program's own queue.
  public static func open() async throws(Failure) -> DownloadManager { try await open(Configuration()) }

  /// Opens the state directory if there is a job store in it; makes nothing. Blocks.
  package static func openIfPresentBlocking(_ configuration: Configuration) throws(Failure) -> DownloadManager? {
    try openBlocking(configuration, .find)
  }

  private static func openBlocking(
    _ configuration: Configuration, _ opening: JobStores.Opening
  ) throws(Failure) -> DownloadManager? {
    let worker = BlockingQueue("dray.store")
    guard let store = try JobStores.open(configuration.store, opening, on: worker.queue) else { return nil }
    return DownloadManager(store, worker, configuration)
  }

  /// The engine, started when it is first needed: it begins with what the job store knows.
  func engine() async throws(Failure) -> EngineHold {
    if let engine = engineBox.withLock(\.self) { return engine }
    let transport = await DownloadManager.transport(of: store)
    let connections = await DownloadManager.connectionMemory(of: store)
    // Another task may have started it meanwhile.
    let made: Result<EngineHold, Failure> = engineBox.withLock { engine in
      if let engine { return .success(engine) }
      do throws(Failure) {
        let started = try Engine(
          transport: transport, hosts: hosts, connections: connections, limit: Descriptors.budget.connections)
        let new = EngineHold(started)
        engine = new
        return .success(new)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }

  /// Queues jobs; returns when they are durable (P3).
  public func add(_ specifications: [JobSpecification]) async throws(Failure) -> [AddedJob] {
    try await desk.run { () async throws(Failure) in
      try await self.addAll(specifications, haveBodies: specifications.contains { $0.request.body != nil })
    }
  }

  /// The same for those of an admission; where they have bodies, each gets a file of its own first.
  /// - Parameter seen: the complete jobs that it has checked.
  package func addAll(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark> = [], haveBodies: Bool,
    seen: Set<JobID>? = nil, entering entrance: Entrance = Entrance()
  ) async throws(Failure) -> [AddedJob] {
    let now = WallClock.now()
    guard haveBodies else {
      return try await store.add(specifications, marks: marks, now: now, seen: seen, entering: entrance)
    }
    let own = try BodyFiles.own(Array(specifications), in: home)
    do throws(Failure) {
      return try await store.add(own, marks: marks, now: now, seen: seen, entering: entrance)
    } catch {
      BodyFiles.discard(own)
      throw error
    }
  }

  /// Releases the jobs of dead runners: they become `interrupted`.
  public func refresh() async throws(Failure) {
    try await worker.run { [store, home, destinations] () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
    }
  }

  /// How far the active jobs of all runners are.
  public func progress() async throws(Failure) -> [JobID: ProgressEntry] {
    try await store.progress()
  }

  /// Makes a runner for jobs of this store.
  /// - Throws: kind `store` when its lease cannot be taken.
  public func makeRunner(
    _ scope: RunScope = .all, _ options: RunOptions = RunOptions()
  ) async throws(Failure) -> Runner {
    try await desk.run { () async throws(Failure) in
      try await Runner(
        try await self.engine(), self.store, self.worker, self.home, self.destinations,
        try await self.store.acquireLease(), scope, options)
    }
  }
}
