// What the parts of a run use.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The store, the engine and the destinations, as one run uses them.
struct RunTools: Sendable {
  let store: any JobStoring
  let home: StateDirectory
  let engine: Engine
  let lease: any RunnerLease
  let queues: RunQueues
  let checkpointer: Checkpointer
  let publisher: Publisher
  let cookies: CookieKeeper
  let destinations: DestinationCache
  /// The limit of the rate of all jobs together.
  let overallLimit: RateLimiter
  /// The most connections to one origin, where they are limited.
  let maxPerOrigin: Int?
  /// Whether a job whose server cannot be reached fails at once.
  let failsFast: Bool
  let names = NameLookup()
}

/// The threads of a run that may block.
struct RunQueues: Sendable {
  let store: BlockingQueue
  let disk = BlockingQueue("dray.disk")
  let hash = BlockingQueue("dray.hash")
}

/// A part of a run.
protocol RunPart: Sendable {
  var tools: RunTools { get }
  var signal: RunSignal { get }
}

extension RunPart {
  /// The name that the run's jobs and its lease carry.
  var id: UUID { tools.lease.runner }
  var store: any JobStoring { tools.store }
  var home: StateDirectory { tools.home }
  var engine: Engine { tools.engine }
  var lease: any RunnerLease { tools.lease }
  var worker: BlockingQueue { tools.queues.store }
  var disk: BlockingQueue { tools.queues.disk }
  var hasher: BlockingQueue { tools.queues.hash }
  var checkpointer: Checkpointer { tools.checkpointer }
  var publisher: Publisher { tools.publisher }
  var cookies: CookieKeeper { tools.cookies }
  var destinations: DestinationCache { tools.destinations }
  var overallLimit: RateLimiter { tools.overallLimit }
  /// Whether the run was stopped.
  var isStopping: Bool { signal.isStopping }
}
