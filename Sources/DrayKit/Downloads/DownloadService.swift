// Transfers a queue for as long as a server runs.

internal import Synchronization
internal import Threads

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
    (self.manager, self.metrics) = (manager, metrics)
    var options = options
    options.waitsForMore = true
    // Nobody reads the events, so they need not be kept. The log and the changes of jobs have them.
    options.observer = options.observer ?? { _ in }
    self.options = options
  }

  /// The seconds between two reports of the figures.
  private static let interval = 10.0
  /// The seconds after which a store that could not be used is tried again.
  private static let pause = 10.0

  /// Transfers jobs until the task is cancelled, or the server begins its graceful shutdown. Received bytes are then
  /// synced and recorded, and the next start continues the jobs. If the store cannot be used for a while, for example
  /// because the disk is full, the service waits and tries again.
  /// - Throws: The failure of a store that cannot be used any more.
  public func run() async throws {
    let stop = ServiceStop()
    #if ServiceLifecycle
    try await withGracefulShutdownHandler {
      try await run(until: stop)
    } onGracefulShutdown: {
      stop.stop()
    }
    #else
    try await run(until: stop)
    #endif
  }

  private func reports(of runner: Runner) -> Task<Void, any Error>? {
    guard let metrics else { return nil }
    return Task {
      while true {
        metrics(runner.metrics())
        try await Task.sleep(for: .seconds(DownloadService.interval))
      }
    }
  }

  private func run(until stop: ServiceStop) async throws(Failure) {
    while !Task.isCancelled {
      do throws(Failure) {
        let runner = try await manager.makeRunner(.all, options)
        guard stop.begin(runner) else { return }
        let reports = reports(of: runner)
        defer { reports?.cancel() }
        _ = try await runner.run()
        return
      } catch {
        guard error.kind == .store, error.recovery == .wait else { throw error }
        guard await stop.wait(seconds: DownloadService.pause) else { return }
      }
    }
  }
}

/// The request to stop a service, and what it stops.
private final class ServiceStop: Sendable {
  private struct State {
    var isAsked = false
    var runner: Runner?
    var wait: Task<Void, any Error>?
  }

  private let state = Mutex(State())

  /// - Returns: `false` if the service must stop instead.
  func begin(_ runner: Runner) -> Bool {
    state.withLock { state in
      state.runner = runner
      return !state.isAsked
    }
  }

  func stop() {
    let (runner, wait) = state.withLock { state in
      state.isAsked = true
      return (state.runner, state.wait)
    }
    wait?.cancel()
    runner?.stop()
  }

  /// - Returns: `false` if the service must stop.
  func wait(seconds: Double) async -> Bool {
    let pause = Task { try await Task.sleep(for: .seconds(seconds)) }
    let isAsked = state.withLock { state in
      (state.runner, state.wait) = (nil, pause)
      return state.isAsked
    }
    if isAsked { return false }
    return await withTaskCancellationHandler {
      guard case .success = await pause.result else { return false }
      return !state.withLock(\.isAsked)
    } onCancel: {
      pause.cancel()
    }
  }
}

#if ServiceLifecycle
extension DownloadService: Service {}
#endif
