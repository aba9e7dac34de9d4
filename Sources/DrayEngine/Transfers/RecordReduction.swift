internal import DrayCore
internal import Synchronization

/// Gives up bytes durably while connections go on. New bytes for the same positions wait until then.
final class RecordReduction: Sendable {
  private struct State {
    var pending = 0
    var failure: Failure?
    var last: Task<Result<Void, Failure>, Never>?
  }

  private let state = Mutex(State())

  /// Whether a durable record may still cover the bytes.
  var isPending: Bool { state.withLock { $0.pending > 0 || $0.failure != nil } }

  var failure: Failure? { state.withLock { $0.failure } }

  /// The task of the last change, which ends after all earlier ones; `nil` if there was none.
  var last: Task<Result<Void, Failure>, Never>? { state.withLock { $0.last } }

  /// Makes sure that the durable record covers no more bytes than `checkpoint`. Changes are made in order: if an older
  /// one came later, it would record bytes again that a newer one has given up.
  func giveUp(_ checkpoint: Checkpoint, in part: any PartStorage, _ observer: any TransferObserver) {
    state.withLock { state in
      state.pending += 1
      let task = Transfer.reduceRecord(to: checkpoint, in: part, observer, after: state.last)
      state.last = task
      Task {
        let result = await task.value
        self.state.withLock { state in
          state.pending -= 1
          if case .failure(let failure) = result { state.failure = failure }
        }
      }
    }
  }
}
