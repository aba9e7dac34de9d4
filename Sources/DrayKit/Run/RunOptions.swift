public import DrayCore
internal import DrayEngine
package import DrayStore
public import Logging
internal import Posix

/// The options of a run.
public struct RunOptions: Sendable {
  /// The number of jobs that are transferred at the same time; `nil` for as many as help.
  /// ``DownloadManager/setJobs(_:)`` takes precedence.
  public var maxConcurrent: Int?
  /// The maximum number of connections to one origin; `nil` for as many as help. Each job has at least one connection,
  /// so this also limits how many jobs of one origin all runners together transfer.
  public var maxPerOrigin: Int?
  /// The rate of all jobs together in bytes per second; `nil` for no limit.
  public var overallRate: Int64? {
    get { if case .fixed(let rate) = overallRule { rate } else { nil } }
    set { overallRule = .fixed(newValue) }
  }
  /// The rate of all jobs together, possibly by the time of day and week. ``DownloadManager/setLimit(_:)`` takes
  /// precedence.
  public var overallRule = RateRule.fixed(nil)
  /// The times at which the run transfers; `nil` for all. ``DownloadManager/setWindow(_:)`` takes precedence.
  public var window: TransferWindow?
  /// The time zone for ``overallRule``, and for the windows of the run and its jobs.
  public var zone = LocalZone.current
  /// How many bytes of files and bodies the run may transfer; `nil` for no limit. When the limit is reached, the run
  /// stops, and keeps the received bytes. Bytes that are fetched twice count twice.
  public var maxTransfer: Int64?
  /// Whether files are synced before they are published, and their directories afterwards. If they are not, a power cut
  /// may leave incomplete files that count as complete. Such files survive the end of the process in any case.
  public var syncs = true
  /// The name of the runner that people see; `nil` for none. By default it consists of the host's name and the process
  /// number.
  public var name: String? = "\(System.hostName):\(System.processID)"
  /// Whether the run continues when no job is left.
  public var waitsForMore = false
  /// The interrupted jobs that the run continues.
  package var continued = ContinuedJobs.all
  /// Whether a job without any bytes fails at once if the server's name does not exist, or if no program listens at the
  /// server's port.
  public var failsFast = false
  /// Whether jobs and files are deleted after the run. Messages then name no job numbers, and nothing is kept for later.
  var isTemporary = false
  /// Receives each event at once, on any thread, before the run goes on; `nil` for ``Runner/events``.
  var observer: (@Sendable (JobEvent) -> Void)?
  /// Whether the machine is kept awake while bytes move, where logind can do that.
  public var keepsAwake = false
  /// The commands to run when a job ends.
  public var hooks = RunHooks()
  /// The log for the steps of jobs; `nil` for the log of the manager (``Configuration/logger``).
  public var logger: Logger?
  /// The names of actions and settings in the failures that are logged.
  package var namesInLog = Advice.Names.plain
  /// Asks the sources of jobs whose links have expired; `nil` if they are not asked.
  var links: LinkSource?
  /// Receives the position of the first missing byte of the run's only job; `nil` if nobody reads it.
  var front: InOrderProgress?

  /// Creates the default options.
  public init() {}
}
