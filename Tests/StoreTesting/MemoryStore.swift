// A job store in memory, for tests of code that uses a store.

import Dispatch
package import DrayCore
package import DrayStore
package import Foundation
import Synchronization

/// A queue in memory. Any number of stores can open it; each stands for a process.
package final class MemoryQueue: Sendable {
  private let state = Mutex(MemoryState())
  private let handlers = Mutex<(last: Int, all: [Int: @Sendable () -> Void])>((0, [:]))
  private let news = DispatchQueue(label: "memory.changes")

  /// Creates an empty queue.
  package init() {}

  /// Opens the queue for another process.
  package func open() -> MemoryStore { MemoryStore(self) }

  func look<T: Sendable>(_ body: (MemoryState) -> T) -> T { state.withLock { body($0) } }

  /// Changes the state atomically. If `body` throws, the state is unchanged.
  func change<T: Sendable>(_ body: (inout MemoryState) throws(Failure) -> T) throws(Failure) -> T {
    let result = state.withLock { state -> Result<T, Failure> in
      let before = state
      do throws(Failure) {
        let value = try body(&state)
        state.version += 1
        return .success(value)
      } catch {
        state = before
        return .failure(error)
      }
    }
    news.async { [self] in
      for handler in handlers.withLock({ Array($0.all.values) }) { handler() }
    }
    return try result.get()
  }

  func observe(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    let number = handlers.withLock { handlers in
      handlers.last += 1
      handlers.all[handlers.last] = handler
      return handlers.last
    }
    handler()
    return ChangeObservation { [self] in handlers.withLock { $0.all[number] = nil } }
  }
}

/// One process's view of a ``MemoryQueue``.
package final class MemoryStore: JobStoring {
  let queue: MemoryQueue
  private let scopes = Mutex<[Set<JobID>]>([])

  init(_ queue: MemoryQueue) { self.queue = queue }

  package var path: String { "memory" }
  package var label: String { "memory" }

  package func close() {}

  func look<T: Sendable>(_ body: (MemoryState) -> T) -> T { queue.look(body) }

  @discardableResult
  func change<T: Sendable>(_ body: (inout MemoryState) throws(Failure) -> T) throws(Failure) -> T {
    try queue.change(body)
  }

  // MARK: Scopes

  package func registerScope(_ ids: [JobID]) -> IDScope {
    scopes.withLock { scopes in
      scopes.append(Set(ids))
      return IDScope(number: scopes.count, count: Set(ids).count)
    }
  }

  package func extendScope(_ scope: IDScope, with ids: [JobID]) -> IDScope {
    scopes.withLock { scopes in
      scopes[scope.number - 1].formUnion(ids)
      return IDScope(number: scope.number, count: scopes[scope.number - 1].count)
    }
  }

  /// Returns a test of whether a job belongs to a scope.
  func member(of scope: ClaimScope) -> (MemoryRow) -> Bool {
    switch scope {
    case .all: { _ in true }
    case .only(let set):
      { [ids = scopes.withLock { $0[set.number - 1] }] in ids.contains($0.job.id) }
    case .labelled(let labels):
      { JobLabel.matches($0.job.specification.options.labels, all: labels) }
    }
  }

  // MARK: Leases

  package func acquireLease() throws(Failure) -> any RunnerLease {
    let lease = MemoryLease(queue)
    try change { $0.runners.insert(lease.runner) }
    return lease
  }

  package func livingRunners() -> Set<UUID> { look(\.runners) }

  package func deadRunners(among runners: Set<UUID>) -> Set<UUID> { runners.subtracting(look(\.runners)) }

  package func forgetDeadRunners() {}

  package func board(of runner: UUID) -> RunnerBoard? { look { $0.boards[runner] } }

  // MARK: Changes

  package func changeMark() -> ChangeMark { ChangeMark(others: look(\.version), own: 0) }

  package func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation { queue.observe(handler) }
}

/// A lease that ends with its release or its last reference, as a file's lease ends with its process.
private final class MemoryLease: RunnerLease {
  let runner = UUID()
  private let queue: MemoryQueue

  init(_ queue: MemoryQueue) { self.queue = queue }

  deinit { end() }

  func show(_ board: RunnerBoard) throws(Failure) {
    try queue.change { [runner] state in if state.runners.contains(runner) { state.boards[runner] = board } }
  }

  func release() { end() }

  private func end() {
    try? queue.change { [runner] state in
      state.runners.remove(runner)
      state.boards[runner] = nil
    }
  }
}

extension StoreMaker {
  /// Makes stores in memory.
  package static let memory = StoreMaker("memory") {
    let queue = MemoryQueue()
    return StorePair(queue.open(), queue.open(), owner: queue)
  }
}
