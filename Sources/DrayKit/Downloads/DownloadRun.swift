// One download's runs: the first one, and one more for each time that it is resumed.

internal import Synchronization

/// Runs a download, at most once at a time.
final class DownloadRun: Sendable {
  typealias Outcome = Result<CompletedDownload, Failure>

  private struct State {
    var task: Task<Outcome, Never>?
    var isRunning = false
    var isStopping = false
  }

  let readers = ProgressReaders()
  private let state = Mutex(State())

  /// Whether the download runs or waits for its turn, and was not cancelled.
  var goesOn: Bool { state.withLock { $0.isRunning && !$0.isStopping } }

  /// Starts a run, unless there is one.
  func start(_ body: @escaping @Sendable (ProgressReaders) async -> Outcome) {
    state.withLock { state in
      guard !state.isRunning else { return }
      (state.isRunning, state.isStopping) = (true, false)
      readers.begin()
      state.task = Task {
        let outcome = await body(self.readers)
        self.state.withLock { $0.isRunning = false }
        self.readers.finish()
        return outcome
      }
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isStopping = true
      return state.task
    }
    task?.cancel()
  }

  /// Waits for the end of the present run, whatever it is.
  func ended() async { _ = await state.withLock(\.task)?.value }

  /// Waits for the end of the present run.
  func outcome() async -> Outcome {
    guard let task = state.withLock(\.task) else {
      return .failure(Failure(.other, "the download", "it has not started", recovery: .keep))
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      cancel()
    }
  }
}
