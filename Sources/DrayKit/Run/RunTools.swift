internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// What the parts of one run share.
struct RunTools: Sendable {
  let store: any JobStoring
  let home: StateDirectory
  let engine: Engine
  let lease: any RunnerLease
  /// The name of the runner, for attempts and failures, if several machines work; `nil` for a store of one machine.
  let name: String?
  let executors: RunExecutors
  let checkpointer: Checkpointer
  let publisher: Publisher
  /// The publisher for servers, separate so that files on disks do not wait for servers.
  let remotePublisher: Publisher
  let cookies: CookieKeeper
  let destinations: DestinationCache
  /// The shares; `nil` for a store of one machine.
  let shares: Shares?
  let overallLimit: RateLimiter
  let namedQueues: QueueLimits
  /// The maximum number of connections to one origin; `nil` for no limit.
  let maxPerOrigin: Int?
  /// Whether jobs fail at once if their server cannot be reached.
  let failsFast: Bool
  let isTemporary: Bool
  let links: LinkSource?
  /// Receives the position of the first missing byte of the only job.
  let front: InOrderProgress?
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
