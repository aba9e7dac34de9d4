// Keeps a runner going for a process that serves for a long time.

internal import Logging
internal import Synchronization

/// Transfers a queue by one runner after another. If the job store cannot be used for a while, for example because the
/// disk is full, only the run ends; the next one starts once the store can be used again.
package final class RunnerSupervisor: Sendable {
  /// The seconds between a run that failed and the next one.
  private static let pause = 5.0

  private struct State {
    var isStopped = false
    /// The runner of the present run, or of the first one.
    var runner: Runner?
    var wait: Task<Void, any Error>?
  }

  private let manager: DownloadManager
  private let options: RunOptions
  private let state = Mutex(State())

  package init(_ manager: DownloadManager, _ options: RunOptions) {
    self.manager = manager
    var options = options
    options.waitsForMore = true
    // Nobody reads the events, so they need not be kept. The log and the changes of jobs have them.
    options.observer = options.observer ?? { _ in }
    self.options = options
  }

  /// The figures of the present run; `nil` between two runs.
  package var metrics: RunMetrics? { state.withLock(\.runner)?.metrics() }

  /// Makes the first runner, so that its failures are known before the process reports that it serves.
  package func prepare() async throws(Failure) { _ = try await nextRunner() }

  /// Transfers jobs until ``stop()`` is called, or the task is cancelled.
  /// - Throws: The failure of a store that cannot be used any more.
  package func run() async throws(Failure) {
    let log = options.logger ?? manager.logger
    var isWaiting = false
    while true {
      do throws(Failure) {
        let runner = try await nextRunner()
        if isWaiting { log?.info("the queue is tried again") }
        isWaiting = false
        _ = try await runner.run()
        return
      } catch {
        state.withLock { $0.runner = nil }
        // A full disk may also fail a lease or a lock file, but only a store's failure begins the wait.
        guard error.kind == .store ? error.recovery == .wait : isWaiting else { throw error }
        if !isWaiting { log?.error("the queue waits", metadata: ["error": "\(error)"]) }
        isWaiting = true
        guard await pauses() else { return }
      }
    }
  }

  /// Returns the runner of the next run.
  private func nextRunner() async throws(Failure) -> Runner {
    if let runner = state.withLock(\.runner) { return runner }
    let runner = try await manager.makeRunner(.all, options)
    // The request to stop may have arrived before the runner existed.
    let isStopped = state.withLock { state in
      state.runner = runner
      return state.isStopped
    }
    if isStopped { runner.stop() }
    return runner
  }

  /// Ends the run, and the wait for the next one. Returns at once.
  package func stop() {
    let (runner, wait) = state.withLock { state in
      state.isStopped = true
      return (state.runner, state.wait)
    }
    wait?.cancel()
    runner?.stop()
  }

  /// Waits before the next run.
  /// - Returns: `false` if there must not be another run.
  private func pauses() async -> Bool {
    let pause = Task { try await Task.sleep(for: .seconds(RunnerSupervisor.pause)) }
    let isStopped = state.withLock { state in
      state.wait = pause
      return state.isStopped
    }
    if isStopped { pause.cancel() }
    return await withTaskCancellationHandler {
      guard case .success = await pause.result else { return false }
      return !state.withLock(\.isStopped)
    } onCancel: {
      pause.cancel()
    }
  }
}
