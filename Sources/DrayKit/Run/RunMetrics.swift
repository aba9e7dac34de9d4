/// The figures of a run since its start, for monitoring, with a bounded number of origins. The counts never fall.
public struct RunMetrics: Sendable, Equatable {
  /// The outcomes of one origin's jobs.
  public struct Counts: Sendable, Equatable {
    /// The number of bytes of files that were received.
    public var received: Int64 = 0
    /// The number of completed files.
    public var complete = 0
    /// The number of jobs that failed permanently.
    public var failed = 0
    /// The number of jobs that stopped with their bytes kept.
    public var interrupted = 0
    /// The number of retries after temporary failures.
    public var retries = 0

    mutating func add(_ other: Counts) {
      received += other.received
      complete += other.complete
      failed += other.failed
      interrupted += other.interrupted
      retries += other.retries
    }
  }

  /// All jobs together.
  public private(set) var total = Counts()
  /// The counts by origin. If there are more than ``most``, the others are counted together as ``others``.
  public private(set) var origins: [String: Counts] = [:]
  /// How often the run was suspended because its store could not be reached, or its lease had ended.
  public var suspensions = 0
  /// Whether the run is suspended now.
  public var isSuspended = false
  /// The seconds until the lease ends if it is not renewed; `nil` if it lasts as long as the process.
  public var leaseRemaining: Double?

  /// The maximum number of origins with their own counts, because each is a time series in the monitoring.
  public static let most = 50
  /// The name under which all further origins are counted.
  public static let others = "other"

  /// Creates the figures of a run at its start.
  public init() {}

  mutating func add(_ counts: Counts, of origin: String) {
    total.add(counts)
    let name = origins[origin] != nil || origins.count < RunMetrics.most ? origin : RunMetrics.others
    origins[name, default: Counts()].add(counts)
  }
}
