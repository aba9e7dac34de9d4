// Transfers a queue for as long as a server runs.

#if ServiceLifecycle
public import ServiceLifecycle
#endif

/// A part of a server that transfers the jobs of a queue, and waits for more.
///
/// With the package trait `ServiceLifecycle` this is a `Service` for a `ServiceGroup`, and a graceful shutdown stops it.
public struct DownloadService: Sendable {
  private let manager: DownloadManager
  private let options: RunOptions
  private let metrics: (@Sendable (RunMetrics) -> Void)?

  /// Creates the service.
  /// - Parameters:
  ///   - manager: The manager, which may also add jobs and start downloads.
  ///   - options: The options of the runs. The runs always wait for more jobs.
  ///   - metrics: Receives the figures of the present run every ten seconds, for monitoring.
  public init(
    _ manager: DownloadManager, options: RunOptions = RunOptions(), metrics: (@Sendable (RunMetrics) -> Void)? = nil
  ) {
    (self.manager, self.options, self.metrics) = (manager, options, metrics)
  }

  /// The seconds between two reports of the figures.
  private static let interval = 10.0

  /// Transfers jobs until the task is cancelled, or the server begins its graceful shutdown. Received bytes are then
  /// synced and recorded, and the next start continues the jobs. If the store cannot be used for a while, for example
  /// because the disk is full, the service waits and tries again.
  /// - Throws: The failure of a store that cannot be used any more.
  public func run() async throws {
    let supervisor = RunnerSupervisor(manager, options)
    let reports = reports(of: supervisor)
    defer { reports?.cancel() }
    #if ServiceLifecycle
    try await withGracefulShutdownHandler {
      try await supervisor.run()
    } onGracefulShutdown: {
      supervisor.stop()
    }
    #else
    try await supervisor.run()
    #endif
  }

  private func reports(of supervisor: RunnerSupervisor) -> Task<Void, any Error>? {
    guard let metrics else { return nil }
    return Task {
      while true {
        let figures = supervisor.metrics
        if let figures { metrics(figures) }
        // There are no figures until a run has begun.
        try await Task.sleep(for: .seconds(figures == nil ? 1 : DownloadService.interval))
      }
    }
  }
}

#if ServiceLifecycle
extension DownloadService: Service {}
#endif
