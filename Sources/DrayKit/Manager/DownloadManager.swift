// The entry point of the library: the job store, runners, probes of URLs, and single downloads.

internal import DrayEngine
public import DrayStore
internal import Logging
internal import Synchronization
internal import Threads

/// Downloads that survive crashes: a queue in a job store, and runners that transfer it.
///
/// Any number of managers, in any number of processes, may use one state directory. No method blocks its caller's
/// thread, because work on disks and databases runs on the manager's own threads.
public final class DownloadManager: Sendable {
  /// The state directory.
  public let home: StateDirectory
  /// Additional settings for requests to some hosts.
  public let hosts: HostRules
  /// The jobs and their history, with all operations of the store.
  package var jobs: any JobReading { store }
  let store: any JobStoring
  /// The store with the facts about hosts, and the directory of the cookie jar: usually the manager's own.
  private let memory: (store: any JobStoring, home: StateDirectory)?
  /// Whether other machines use the store too.
  public let isShared: Bool
  /// Decides which directories jobs may have that other machines may transfer.
  private let reach: TargetReach
  /// The address of the store, if it is not in the state directory.
  private let database: String?
  /// The shares on which the jobs' directories are; `nil` for a store of one machine.
  let shares: Shares?
  let destinations: any Destinations
  /// The destinations in object stores; `nil` if the configuration replaces all destinations.
  let objects: ObjectDestinations?
  /// The thread that runners use.
  let worker: BlockingExecutor
  /// The thread for the manager's own operations, which may read whole files; the store's thread must not wait that
  /// long.
  let executor = BlockingExecutor("dray.manager")
  /// Limits how many of this manager's own downloads run at the same time.
  let downloadSlots: DownloadSemaphore
  let logger: Logger?
  private let engineBox = Mutex<EngineHold?>(nil)

  private init(
    _ store: any JobStoring, _ worker: BlockingExecutor, _ configuration: Configuration,
    memory: (store: any JobStoring, home: StateDirectory)?
  ) {
    (self.store, self.worker, self.memory) = (store, worker, memory)
    (home, hosts) = (configuration.home, configuration.hosts)
    (isShared, database) = (configuration.store.isShared, configuration.database)
    (reach, logger) = (configuration.reach, configuration.logger)
    downloadSlots = DownloadSemaphore(most: configuration.maxDownloads)
    let source = EngineSource()
    let local = LocalDestinations(store: store.label)
    #if ObjectStores
    objects = configuration.destinations == nil ? ObjectDestinations(local, ObjectTools(source, store)) : nil
    #else
    objects = configuration.destinations == nil ? ObjectDestinations(local) : nil
    #endif
    let base = configuration.destinations ?? objects ?? local
    shares = isShared ? Shares(reach, store) : nil
    destinations = shares.map { ReachedDestinations(base: base, rule: configuration.reach, shares: $0) } ?? base
    OwnServices.add(home.path) { [home] in ServiceFile.addresses(in: home) }
    source.set { [weak self] () async throws(Failure) in
      guard let self else { throw EngineSource.hasEnded }
      return try await engine()
    }
  }

  /// Records what was learned, and closes the store, even while this manager is in use. The manager cannot be used
  /// afterwards. It blocks the thread.
  package func close() {
    DownloadManager.waitForMemory()
    // If closing fails, nothing is lost, because the next opening reads the log.
    try? store.close()
  }

  /// Opens the state directory, and creates it if it is missing.
  /// - Throws: Kind `store` if the job store cannot be used, which then stays untouched.
  public static func open(_ configuration: Configuration) async throws(Failure) -> DownloadManager {
    try await BlockingExecutor("dray.open").run { () throws(Failure) in try openBlocking(configuration) }
  }

  /// Opens the state directory, on a thread that may block.
  package static func openBlocking(_ configuration: Configuration) throws(Failure) -> DownloadManager {
    try configuration.home.create()
    if let manager = try openBlocking(configuration, .make) { return manager }
    throw Failure(.store, configuration.store.path, "the job store was not created")
  }

  /// Opens this program's queue (``Configuration/init(app:)``).
  public static func open() async throws(Failure) -> DownloadManager { try await open(Configuration()) }

  /// Opens the state directory if it contains a job store, without creating a file. It blocks the thread.
  package static func openIfPresentBlocking(_ configuration: Configuration) throws(Failure) -> DownloadManager? {
    let manager = try openBlocking(configuration, .find)
    // The store is in a database, but cookies and bodies are kept in the state directory.
    if manager?.isShared ?? false { try configuration.home.create() }
    return manager
  }

  private static func openBlocking(
    _ configuration: Configuration, _ opening: JobStores.Opening
  ) throws(Failure) -> DownloadManager? {
    let worker = BlockingExecutor("dray.store")
    guard let store = try JobStores.open(configuration.store, opening, on: worker) else { return nil }
    return DownloadManager(store, worker, configuration, memory: (store, configuration.home))
  }

  /// Opens an empty queue in memory, of this process alone. Blocks the thread.
  /// - Parameters:
  ///   - home: A private directory, which is created.
  ///   - manager: The manager whose facts about hosts and cookies are used and extended.
  static func openInMemoryBlocking(
    _ home: StateDirectory, hosts: HostRules, knowing manager: DownloadManager?
  ) throws(Failure) -> DownloadManager {
    var configuration = Configuration(home: home)
    configuration.hosts = hosts
    let worker = BlockingExecutor("dray.store")
    let store = try JobStores.openInMemory(home, on: worker)
    return DownloadManager(store, worker, configuration, memory: manager.map { ($0.store, $0.home) })
  }

  /// Returns the engine; the first call starts it, with what the job store knows.
  func engine() async throws(Failure) -> EngineHold {
    if let engine = engineBox.withLock(\.self) { return engine }
    let transport = await DownloadManager.transport(of: memory?.store)
    let connections = await DownloadManager.connectionMemory(of: store)
    // Another task may have started the engine in the meantime.
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

  /// Queues jobs. Durable on return (P3).
  public func add(_ specifications: [JobSpecification]) async throws(Failure) -> [AddedJob] {
    try await executor.run { () async throws(Failure) in
      try await self.refresh()
      return try await self.addAll(
        specifications, in: Set(specifications.map(\.place)),
        haveBodies: specifications.contains { $0.request.body != nil })
    }
  }

  /// Queues the jobs of an admission, after giving each body a file of its own.
  /// - Parameters:
  ///   - places: The directories of the jobs, whose shares get their marks now.
  ///   - seen: The complete jobs that the admission has checked.
  package func addAll(
    _ specifications: some Sequence<JobSpecification>, in places: Set<DirectoryPlace>, marks: Set<FeedMark> = [],
    haveBodies: Bool,
    seen: Set<JobID>? = nil, entering entrance: Entrance = Entrance()
  ) async throws(Failure) -> [AddedJob] {
    for place in places { try await shares?.admit(place, isChosen: true) }
    let now = WallClock.now()
    guard haveBodies else {
      do throws(Failure) {
        return try await store.add(specifications, marks: marks, now: now, seen: seen, entering: entrance)
      } catch {
        throw await ofThisCall(error)
      }
    }
    if isShared, !reach.allowsLocal, let job = specifications.first(where: { $0.request.body != nil }) {
      throw TargetReach.bodyStaysHere(job.request.url.description)
    }
    let own = try BodyFiles.own(Array(specifications), in: home)
    do throws(Failure) {
      return try await store.add(own, marks: marks, now: now, seen: seen, entering: entrance)
    } catch {
      BodyFiles.discard(own)
      throw await ofThisCall(error)
    }
  }

  /// Returns a refusal without the number of a job that was never added: if two jobs of one call want the same target,
  /// neither is.
  private func ofThisCall(_ failure: Failure) async -> Failure {
    guard let owner = failure.owner, let found = try? await store.jobs(ids: [owner.job]), found.isEmpty else {
      return failure
    }
    return TargetClash.amongNew(failure.subject)
  }

  /// Releases the jobs of dead runners, which become `interrupted`.
  package func refresh() async throws(Failure) {
    try await worker.run { [store, home, destinations] () async throws(Failure) in
      try await Recovery.reap(store, home, destinations)
    }
  }

  /// Returns a job with its request, its options and its history; `nil` if there is none.
  public func job(_ id: JobID) async throws(Failure) -> Job? { try await store.job(id) }

  /// Returns the first jobs of a selection with numbers above `id`, in ascending order, as a table shows them.
  public func summaries(
    of choice: JobChoice = JobChoice(), after id: JobID = 0, limit: Int = 1000
  ) async throws(Failure) -> [JobSummary] {
    try await store.summaries(after: id, of: choice, limit: limit)
  }

  /// Returns the progress of the active jobs of all runners.
  public func progress() async throws(Failure) -> [JobID: ProgressEntry] {
    try await store.progress()
  }

  private func lease(_ name: String?) async throws(Failure) -> any RunnerLease {
    if let name { try await store.acquireLease(named: name) } else { try await store.acquireLease() }
  }

  /// With a store of several machines, each runner has its own lease, and so its own fence.
  private func guardedDestinations() -> (any Destinations, WriteFence?) {
    guard let shares, let objects else { return (destinations, nil) }
    let fence = WriteFence()
    let local = LocalDestinations(store: store.label, fence: fence)
    return (ReachedDestinations(base: objects.guarded(by: fence, local), rule: reach, shares: shares), fence)
  }

  /// Creates a runner for jobs of this store.
  /// - Throws: Kind `store` if its lease cannot be acquired.
  public func makeRunner(
    _ scope: RunScope = .all, _ options: RunOptions = RunOptions()
  ) async throws(Failure) -> Runner {
    try await executor.run { () async throws(Failure) in
      let (destinations, fence) = self.guardedDestinations()
      var options = options
      options.logger = options.logger ?? self.logger
      return try await Runner(
        try await self.engine(), self.store, self.worker, self.home, destinations,
        try await self.lease(options.name), scope, options, database: self.database, fence: fence, shares: self.shares,
        cookies: CookieKeeper(home: self.memory?.home, store: self.store))
    }
  }
}
