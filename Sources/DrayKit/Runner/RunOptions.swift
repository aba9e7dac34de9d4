// How a run goes: its limits, whether it stays, its hooks.

public import DrayCore

/// How to run.
public struct RunOptions: Sendable {
  /// Jobs that are transferred at once; `nil` for as many as help. ``DownloadManager/setJobs(_:)`` overrides it.
  public var maxConcurrent: Int?
  /// The most connections to one origin; `nil` for as many as help. Each job counts as one at least, so it is also the most jobs
  /// of one origin that are transferred at once, those of other runners included.
  public var maxPerOrigin: Int?
  /// Bytes a second of all together; `nil` for no limit.
  public var overallRate: Int64? {
    get { if case .fixed(let rate) = overallRule { rate } else { nil } }
    set { overallRule = .fixed(newValue) }
  }
  /// The same, possibly by the clock. ``DownloadManager/setLimit(_:)`` overrides it.
  public var overallRule = RateRule.fixed(nil)
  /// The zone of the clock that it follows.
  public var zone = LocalZone.current
  /// Whether files are synced before they are published, and their directories after: without, a power cut may leave
  /// files that are called complete and are not. The end of the process is survived either way.
  public var syncs = true
  /// Whether to stay when nothing is left to do.
  public var waitsForMore = false
  /// Whether a job without any bytes fails at once if its server's name does not exist, or nobody listens at its port.
  public var failsFast = false
  /// What is run when a job ends.
  public var hooks = RunHooks()

  /// The defaults.
  public init() {}
}
