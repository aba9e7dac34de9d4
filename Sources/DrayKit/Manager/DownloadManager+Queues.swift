// Reports on named queues, and changes their settings.

public import DrayCore
internal import DrayStore
internal import Threads

extension DownloadManager {
  /// A named queue with its jobs.
  public struct QueueReport: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The settings.
    public var settings: QueueSettings
    /// Whether the queue's jobs may be transferred now.
    public var gate: QueueGate
    /// The number of bytes received in the present period of the quota; 0 if there is no quota.
    public var used: Int64
    /// The number of jobs in each state; states without a job are omitted.
    public var counts: [JobState: Int]

    /// Creates a report.
    package init(
      name: String, settings: QueueSettings = QueueSettings(), gate: QueueGate = .open, used: Int64 = 0,
      counts: [JobState: Int] = [:]
    ) {
      (self.name, self.settings, self.gate, self.used, self.counts) = (name, settings, gate, used, counts)
    }
  }

  /// Returns all named queues, ordered by name: those with settings, and those that jobs name.
  public func namedQueues() async throws(Failure) -> [QueueReport] {
    let counts = try await store.queueCounts()
    let stored = try await store.queues()
    let known = Set(stored.map(\.name))
    let all = stored + counts.keys.filter { !known.contains($0) }.map { NamedQueue($0) }
    let now = WallClock.now()
    return all.sorted { $0.name < $1.name }.map { report($0, counts[$0.name] ?? [:], now) }
  }

  /// Returns a named queue; `nil` if it has neither settings nor jobs.
  public func namedQueue(_ name: String) async throws(Failure) -> QueueReport? {
    try await namedQueues().first { $0.name == name }
  }

  /// Changes the settings of a named queue; a queue without settings gets some. Runners apply them within a second. The
  /// change is on the disk when this returns.
  /// - Throws: Kind `usage` if the name is not allowed.
  public func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) async throws(Failure) -> QueueReport {
    if let objection = QueueName.objection(to: name) { throw Failure(.usage, "the queue", objection) }
    let queue = try await store.changeQueue(name, change)
    return report(queue, try await store.queueCounts()[name] ?? [:], WallClock.now())
  }

  /// Removes the settings of a named queue. Its jobs keep the queue's name, but no limits of a queue apply to them. The
  /// change is on the disk when this returns.
  /// - Returns: Whether the queue had settings.
  public func removeQueue(_ name: String) async throws(Failure) -> Bool { try await store.removeQueue(name) }

  /// Returns the directory of a queue; `nil` if it has none.
  package func directory(ofQueue name: String) async throws(Failure) -> String? {
    try await store.queues().first { $0.name == name }?.settings.directory
  }

  private func report(_ queue: NamedQueue, _ counts: [JobState: Int], _ now: Double) -> QueueReport {
    QueueReport(
      name: queue.name, settings: queue.settings, gate: queue.gate(at: now, zone: .current),
      used: queue.used(at: now, zone: .current), counts: counts)
  }
}
