/// The settings of a named queue.
public struct QueueSettings: Sendable, Equatable, Codable {
  /// Whether the queue's jobs wait until the user resumes the queue.
  public var isPaused = false
  /// The maximum number of active jobs, over all runners; `nil` for no limit.
  public var jobs: Int?
  /// The limit on the rate of all the queue's jobs together in each runner, as the user typed it: a rate or a timetable
  /// (``RateRule``); `nil` for no limit.
  public var rate: String?
  /// The times at which jobs are transferred, as text (``TransferWindow``); `nil` for all times.
  public var between: String?
  /// The absolute path of the directory for jobs that name no directory; `nil` for the usual directory.
  public var directory: String?
  /// How many bytes the queue may receive in a period; `nil` for no limit.
  public var quota: QueueQuota?

  /// Creates the settings of a queue without limits.
  public init() {}

  /// The times at which jobs are transferred; `nil` for all times.
  public var window: TransferWindow? { between.flatMap { try? TransferWindow.parse($0) } }

  /// The rule for the rate of all the queue's jobs together.
  public var rateRule: RateRule { rate.flatMap { try? RateRule.parse($0) } ?? .fixed(nil) }
}
