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
  let isTemporary: Bool
  let zone: LocalZone
  let names = NameLookup()
}

/// Threads that may block.
struct RunExecutors: Sendable {
  let store: BlockingExecutor
  let disk = BlockingExecutor("dray.disk")
  let hash = BlockingExecutor("dray.hash")
  let copy = BlockingExecutor("dray.stage")
}
