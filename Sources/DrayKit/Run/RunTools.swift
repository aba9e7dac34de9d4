internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// Shared by the parts of one run.
struct RunTools: Sendable {
  let store: any JobStoring
  let home: StateDirectory
  let engine: Engine
  let lease: any RunnerLease
  /// For attempts and failures, if several machines work; `nil` for a store of one machine.
  let name: String?
  let executors: RunExecutors
  let checkpointer: Checkpointer
  let publisher: Publisher
  /// Publishes on servers. Separate, so that files on disks do not wait for servers.
  let remotePublisher: Publisher
  let cookies: CookieKeeper
  let destinations: DestinationCache
  /// `nil` for a store of one machine.
  let shares: Shares?
  let overallLimit: RateLimiter
  let namedQueues: QueueLimits
  /// `nil` for no limit.
  let maxPerOrigin: Int?
  /// Applies to jobs whose server cannot be reached.
  let failsFast: Bool
  let zone: LocalZone
  let names = NameLookup()
}

/// Threads that may block.
struct RunExecutors: Sendable {
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
  var runner: UUID { tools.lease.runner }
  var store: any JobStoring { tools.store }
  var home: StateDirectory { tools.home }
  var engine: Engine { tools.engine }
  var lease: any RunnerLease { tools.lease }
  var worker: BlockingExecutor { tools.executors.store }
  var disk: BlockingExecutor { tools.executors.disk }
  var hasher: BlockingExecutor { tools.executors.hash }
  var copier: BlockingExecutor { tools.executors.copy }
  var checkpointer: Checkpointer { tools.checkpointer }
  var cookies: CookieKeeper { tools.cookies }
  var destinations: DestinationCache { tools.destinations }
  var shares: Shares? { tools.shares }
  var overallLimit: RateLimiter { tools.overallLimit }
  var namedQueues: QueueLimits { tools.namedQueues }
  var isStopping: Bool { signal.isStopping }
}
