#if Postgres

internal import DrayCore
internal import Synchronization

internal import struct FoundationEssentials.UUID

/// Remembers completions of jobs that were committed without waiting for the disk, until the log with these commits is
/// known to be on disk. If a crash of the server undoes such completions, they are recorded again, because the files
/// are already published, and hooks may have moved them.
final class LazyEnds: Sendable {
  struct Batch: Sendable {
    var runner: UUID
    var jobs: [(job: Finished, fence: Int64)]
    /// The time of completion, in seconds since 1970.
    var now: Double
    /// The number of the connection (``FleetExecutor/reopenings``).
    var connection: Int
  }

  private let state = Mutex<(last: Int, batches: [Int: Batch])>((0, [:]))

  func add(_ batch: Batch) {
    guard !batch.jobs.isEmpty else { return }
    state.withLock { state in
      state.last += 1
      state.batches[state.last] = batch
    }
  }

  var newest: Int { state.withLock(\.last) }

  /// Forgets the batches up to a number, after a later transaction on the same connection has reached the disk: the
  /// server writes its log in order.
  func confirm(upTo newest: Int, on connection: Int) {
    state.withLock { state in
      state.batches = state.batches.filter { $0.key > newest || $0.value.connection != connection }
    }
  }

  /// Returns the batches of a runner, oldest first.
  func batches(of runner: UUID) -> [Batch] {
    state.withLock { state in
      state.batches.filter { $0.value.runner == runner }.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Forgets a runner's batches up to a number, after they were recorded again.
  func forget(upTo newest: Int, of runner: UUID) {
    state.withLock { state in
      state.batches = state.batches.filter { $0.key > newest || $0.value.runner != runner }
    }
  }
}

#endif
