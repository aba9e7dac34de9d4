// The contract of a job store, kept by SQLite: what blocks is done on a thread that may.

package import Dispatch
import DrayCore

import struct FoundationEssentials.UUID

extension JobStore {
  /// This store under its contract.
  /// - Parameter queue: where it is used for callers whose thread must not block; without one, on a thread of its own.
  package func nonblocking(on queue: DispatchQueue? = nil) -> any JobStoring {
    SQLiteStore(self, queue ?? DispatchQueue(label: "dray.store", qos: .userInitiated))
  }
}

/// A ``JobStore`` for callers that must not block.
final class SQLiteStore: JobStoring {
  let store: JobStore
  private let queue: DispatchQueue

  init(_ store: JobStore, _ queue: DispatchQueue) {
    (self.store, self.queue) = (store, queue)
    BlockingThread.mark(queue)
  }

  var path: String { store.path }

  func close() throws(Failure) { try store.close() }

  nonisolated(nonsending) func run<Value: Sendable>(
    _ body: @escaping @Sendable (JobStore) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if BlockingThread.isCurrent { return try body(store) }
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async { [store] in
        do throws(Failure) {
          continuation.resume(returning: .success(try body(store)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
