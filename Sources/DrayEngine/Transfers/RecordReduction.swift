internal import DrayCore
internal import Synchronization

/// Gives up bytes durably while connections continue. New bytes for the same positions wait until the record no longer
/// covers the old ones.
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

  /// The task of the last change, which ends after all earlier tasks; `nil` if there was no change.
  var last: Task<Result<Void, Failure>, Never>? { state.withLock { $0.last } }

  /// Reduces the durable record, so that it covers no more bytes than `checkpoint`. Changes are made in order: an older
  /// change that came later would record bytes again that a newer change has given up.
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
