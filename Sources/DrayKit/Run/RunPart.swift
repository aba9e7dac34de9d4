internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// A part of a run, which can use the tools of the run by short names.
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
