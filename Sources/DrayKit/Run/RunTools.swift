// The shared tools of a run's parts.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The store, the engine and the destinations of one run.
struct RunTools: Sendable {
  let store: any JobStoring
  let home: StateDirectory
  let engine: Engine
  let lease: any RunnerLease
  /// The name of the runner in attempts and failures, where several machines work; `nil` on one machine.
  let name: String?
  let queues: RunQueues
  let checkpointer: Checkpointer
  let publisher: Publisher
  /// Publishes on servers, so that files on disks do not wait for them.
  let remotePublisher: Publisher
  let cookies: CookieKeeper
  let destinations: DestinationCache
  /// The shares of a store of several machines.
  let shares: Shares?
  /// The rate limit on all jobs together.
  let overallLimit: RateLimiter
  /// The named queues.
  let namedQueues: QueueLimits
  /// The maximum number of connections to one origin, if limited.
  let maxPerOrigin: Int?
  /// Whether a job whose server cannot be reached fails at once.
  let failsFast: Bool
  /// The time zone of windows.
  let zone: LocalZone
  let names = NameLookup()
}

/// The threads of a run that may block.
struct RunQueues: Sendable {
  let store: BlockingExecutor
  let disk = BlockingExecutor("dray.disk")
  let hash = BlockingExecutor("dray.hash")
  let copy = BlockingExecutor("dray.bring")
}

protocol RunPart: Sendable {
  var tools: RunTools { get }
  var signal: RunSignal { get }
}

extension RunPart {
  /// The runner's UUID, in its jobs and its lease.
  var runner: UUID { tools.lease.runner }
  var store: any JobStoring { tools.store }
  var home: StateDirectory { tools.home }
  var engine: Engine { tools.engine }
  var lease: any RunnerLease { tools.lease }
  var worker: BlockingExecutor { tools.queues.store }
  var disk: BlockingExecutor { tools.queues.disk }
  var hasher: BlockingExecutor { tools.queues.hash }
  var copier: BlockingExecutor { tools.queues.copy }
  var checkpointer: Checkpointer { tools.checkpointer }
  var cookies: CookieKeeper { tools.cookies }
  var destinations: DestinationCache { tools.destinations }
  var shares: Shares? { tools.shares }
  var overallLimit: RateLimiter { tools.overallLimit }
  var namedQueues: QueueLimits { tools.namedQueues }
  var isStopping: Bool { signal.isStopping }
}
