// The figures of the queue for monitoring, over all runners and machines.

internal import DrayEngine
public import DrayStore
internal import Threads

package import struct FoundationEssentials.UUID

/// The figures of a queue at one moment.
public struct QueueMetrics: Sendable, Equatable {
  /// The active jobs of one origin.
  public struct Activity: Sendable, Equatable {
    /// The number of jobs.
    public var jobs = 0
    /// The rate of these jobs together in bytes per second.
    public var rate: Double = 0

    /// Creates the activity of an idle origin.
    public init() {}
  }

  /// The number of jobs in each state; states without a job are 0.
  public var states: [JobState: Int]
  /// The runners that are alive.
  public var runners: [RunnerRecord]
  /// The number of attempts that failed within the last hour, by the name of the runner; empty for a store of one
  /// machine.
  public var failures: [String: Int] = [:]
  /// The holds that are in force.
  public var holds: [OriginHold]
  /// The activity by origin. If there are more than ``RunMetrics/most``, the others are counted together as
  /// ``RunMetrics/others``.
  public var origins: [String: Activity]
  /// The time at which the figures were taken, in seconds since 1970.
  public var time: Double

  /// Creates figures.
  public init(
    states: [JobState: Int], runners: [RunnerRecord] = [], holds: [OriginHold] = [],
    origins: [String: Activity] = [:], time: Double
  ) {
    (self.states, self.runners, self.holds, self.origins, self.time) = (states, runners, holds, origins, time)
  }

  mutating func add(_ entry: ProgressEntry, of origin: String) {
    let name = origins[origin] != nil || origins.count < RunMetrics.most ? origin : RunMetrics.others
    origins[name, default: Activity()].jobs += 1
    origins[name]?.rate += entry.rate
  }
}

extension DownloadManager {
  /// The maximum number of active jobs that are looked up for the figures by origin.
  private static let mostActive = 2000

  /// Returns the figures of the queue.
  /// - Throws: Kind `store`.
  public func metrics() async throws(Failure) -> QueueMetrics {
    let now = WallClock.now()
    var metrics = QueueMetrics(
      states: try await store.counts(ids: nil), runners: try await store.runnerRecords(),
      holds: try await store.holds(now: now), time: now)
    metrics.failures = try await store.failedAttempts() ?? [:]
    let entries = try await store.progress()
    let looked = entries.keys.sorted().prefix(DownloadManager.mostActive)
    for job in try await store.summaries(ids: Array(looked)) {
      guard let entry = entries[job.id] else { continue }
      let origin = (try? RequestURL.parse(job.url))?.url.origin.description
      metrics.add(entry, of: origin ?? RunMetrics.others)
    }
    return metrics
  }

  /// Returns the runners that are alive, and then those that died a short time ago.
  /// - Throws: Kind `store`.
  public func runners() async throws(Failure) -> [RunnerRecord] { try await store.runners() }

  /// Checks that the job store answers.
  /// - Throws: Kind `store`.
  package func checkStore() async throws(Failure) { _ = try await store.setting(.jobs) }

  /// Returns the name of a live runner; `nil` if the runner has none.
  package func name(ofRunner id: UUID) async throws(Failure) -> String? {
    try await store.runnerRecords().first { $0.runner == id }?.name
  }
}
