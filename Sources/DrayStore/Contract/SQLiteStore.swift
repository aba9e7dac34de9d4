// The contract of a job store, kept by SQLite: what blocks is done on a thread that may.

package import Dispatch
import DrayCore
internal import Threads

import struct FoundationEssentials.UUID

extension JobStore {
  /// This store under its contract.
  /// - Parameters:
  ///   - queue: where it is used for callers whose thread must not block; without one, on a thread of its own.
  ///   - reader: the same store, opened once more, to look at it: then readers do not wait for writers, be it for
  ///     another process or for the disk.
  package func nonblocking(on queue: DispatchQueue? = nil, reader: JobStore? = nil) -> any JobStoring {
    SQLiteStore(
      StoreDesk(self, queue ?? DispatchQueue(label: "dray.store", qos: .userInitiated)),
      reader.map { StoreDesk($0, DispatchQueue(label: "dray.reader", qos: .userInitiated)) })
  }
}

/// A ``JobStore`` for callers that must not block.
final class SQLiteStore: JobStoring {
  private let writer: StoreDesk
  private let reader: StoreDesk?

  init(_ writer: StoreDesk, _ reader: StoreDesk?) { (self.writer, self.reader) = (writer, reader) }

  var path: String { writer.store.path }

  /// The store that is looked at.
  var looking: JobStore { (reader ?? writer).store }

  func close() throws(Failure) {
    try reader?.store.close()
    try writer.store.close()
  }

  /// Does what may change the store, or belongs to what does.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ body: @escaping @Sendable (JobStore) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await writer.run(body)
  }

  /// Does what only looks. In SQLite's log mode a reader waits for no writer, and sees all that was written before it began.
  nonisolated(nonsending) func look<Value: Sendable>(
    _ body: @escaping @Sendable (JobStore) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await (reader ?? writer).run(body)
  }
}

/// One connection, and the thread on which it is used for those who must not block.
struct StoreDesk: Sendable {
  let store: JobStore
  private let queue: DispatchQueue

  init(_ store: JobStore, _ queue: DispatchQueue) {
    (self.store, self.queue) = (store, queue)
    BlockingThread.mark(queue)
  }

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
